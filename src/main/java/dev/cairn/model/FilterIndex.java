package dev.cairn.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds among many filters those that an operation may match, without asking each. A filter is
 * found by pieces of up to four characters, one of each of its {@linkplain OperationFilter#needles
 * needles}: of all pieces of a needle that one which fewest others have. See {@code
 * docs/subscriptions.md}, Matching.
 */
public final class FilterIndex {
  /** Characters of a piece, which is a number of 16 bits for each; none of them is zero. */
  private static final int MAX_LENGTH = 4;

  private static final int BITS = 16;

  /** To look up the pieces that end with a character. */
  private static final int STEPS_OF_CHARACTER = 8;

  /** How often pieces occur is counted together for those that fall into one slot. */
  private static final int SLOTS = 1 << 16;

  private final BitSet always = new BitSet();
  private final Map<Long, List<Integer>> byPiece = new HashMap<>();

  /** Whether there are pieces of so many characters. */
  private final boolean[] lengths = new boolean[MAX_LENGTH + 1];

  /**
   * @param filters by their places
   */
  public FilterIndex(List<OperationFilter> filters) {
    var counts = new int[SLOTS];
    filters.stream()
        .flatMap(filter -> filter.needles().stream())
        .flatMap(Collection::stream)
        .forEach(needle -> count(needle, counts));
    for (int place = 0; place < filters.size(); place++) {
      add(place, filters.get(place), counts);
    }
  }

  private void add(int place, OperationFilter filter, int[] counts) {
    var needles = filter.needles();
    if (needles.isEmpty() || needles.get().contains("")) {
      always.set(place);
      return;
    }
    for (var needle : needles.get()) {
      lengths[Math.min(MAX_LENGTH, needle.length())] = true;
      byPiece.computeIfAbsent(rarest(needle, counts), _ -> new ArrayList<>(1)).add(place);
    }
  }

  private static void count(String needle, int[] counts) {
    long piece = 0;
    for (int i = 0; i < needle.length(); i++) {
      piece = piece << BITS | needle.charAt(i);
      if (i >= MAX_LENGTH - 1) {
        counts[slot(piece)]++;
      }
    }
  }

  /** A needle that is no longer than a piece is its own. */
  private static long rarest(String needle, int[] counts) {
    long piece = 0;
    long rarest = 0;
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < needle.length(); i++) {
      piece = piece << BITS | needle.charAt(i);
      if (i < MAX_LENGTH - 1) {
        rarest = piece;
      } else if (counts[slot(piece)] < fewest) {
        fewest = counts[slot(piece)];
        rarest = piece;
      }
    }
    return rarest;
  }

  private static int slot(long piece) {
    return Long.hashCode(piece * 0x9E3779B97F4A7C15L) >>> BITS;
  }

  /**
   * The places of the filters that may match an operation; all others do not.
   *
   * @param wref the operation's, local and without modifier
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public BitSet candidates(String wref, MatchingBudget budget) {
    if (byPiece.isEmpty()) {
      return always;
    }
    budget.takeSteps((long) STEPS_OF_CHARACTER * wref.length());
    var found = (BitSet) always.clone();
    var seen = new HashSet<Long>();
    long read = 0;
    for (int i = 0; i < wref.length(); i++) {
      read = read << BITS | wref.charAt(i);
      for (int length = 1; length <= Math.min(MAX_LENGTH, i + 1); length++) {
        if (lengths[length]) {
          add(read & (-1L >>> ((MAX_LENGTH - length) * BITS)), found, seen, budget);
        }
      }
    }
    return found;
  }

  /** Once for each piece, however often the text has it. */
  private void add(long piece, BitSet found, Set<Long> seen, MatchingBudget budget) {
    var places = byPiece.get(piece);
    if (places != null && seen.add(piece)) {
      budget.takeSteps(places.size());
      places.forEach(found::set);
    }
  }
}

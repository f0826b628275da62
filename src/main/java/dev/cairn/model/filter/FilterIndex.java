package dev.cairn.model.filter;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the filters that an operation may match, without evaluating all of them. A filter is
 * indexed by pieces of up to four characters, one of each of its {@linkplain
 * OperationFilter#needles needles}: the piece that occurs least often in all needles. See {@code
 * docs/subscriptions.md}, Matching.
 */
public final class FilterIndex {
  /**
   * Maximum characters of a piece. A piece is stored as a number, 16 bits a character, none zero.
   */
  private static final int MAX_PIECE_LENGTH = 4;

  private static final int BITS_OF_CHARACTER = 16;

  /** The steps to look up the pieces that end with one character. */
  private static final int STEPS_OF_CHARACTER = 8;

  /** Slots that count how often pieces occur; pieces with the same hash share a slot. */
  private static final int SLOTS = 1 << 16;

  private final BitSet always = new BitSet();
  private final Map<Long, List<Integer>> byPiece = new HashMap<>();

  /** For each length in characters, whether there are pieces of that length. */
  private final boolean[] lengths = new boolean[MAX_PIECE_LENGTH + 1];

  /**
   * @param filters in an order whose positions {@link #candidates} returns
   */
  public FilterIndex(List<OperationFilter> filters) {
    var counts = new int[SLOTS];
    filters.stream()
        .flatMap(filter -> filter.needles().stream())
        .flatMap(Collection::stream)
        .forEach(needle -> count(needle, counts));
    for (int position = 0; position < filters.size(); position++) {
      add(position, filters.get(position), counts);
    }
  }

  private void add(int position, OperationFilter filter, int[] counts) {
    var needles = filter.needles();
    if (needles.isEmpty() || needles.get().contains("")) {
      always.set(position);
      return;
    }
    for (var needle : needles.get()) {
      lengths[Math.min(MAX_PIECE_LENGTH, needle.length())] = true;
      byPiece.computeIfAbsent(rarest(needle, counts), _ -> new ArrayList<>(1)).add(position);
    }
  }

  private static void count(String needle, int[] counts) {
    long piece = 0;
    for (int i = 0; i < needle.length(); i++) {
      piece = piece << BITS_OF_CHARACTER | needle.charAt(i);
      if (i >= MAX_PIECE_LENGTH - 1) {
        counts[slot(piece)]++;
      }
    }
  }

  /** The piece of a needle that occurs least often; a short needle is a piece itself. */
  private static long rarest(String needle, int[] counts) {
    long piece = 0;
    long rarest = 0;
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < needle.length(); i++) {
      piece = piece << BITS_OF_CHARACTER | needle.charAt(i);
      if (i < MAX_PIECE_LENGTH - 1) {
        rarest = piece;
      } else if (counts[slot(piece)] < fewest) {
        fewest = counts[slot(piece)];
        rarest = piece;
      }
    }
    return rarest;
  }

  private static int slot(long piece) {
    return Long.hashCode(piece * 0x9E3779B97F4A7C15L) >>> BITS_OF_CHARACTER;
  }

  /**
   * The positions of the filters that may match an operation; no other filter does.
   *
   * @param wref the wref that the operation changes, local and without modifier
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
      read = read << BITS_OF_CHARACTER | wref.charAt(i);
      for (int length = 1; length <= Math.min(MAX_PIECE_LENGTH, i + 1); length++) {
        if (lengths[length]) {
          add(
              read & (-1L >>> ((MAX_PIECE_LENGTH - length) * BITS_OF_CHARACTER)),
              found,
              seen,
              budget);
        }
      }
    }
    return found;
  }

  /** Adds the filters of a piece, once even if the text contains the piece several times. */
  private void add(long piece, BitSet found, Set<Long> seen, MatchingBudget budget) {
    var positions = byPiece.get(piece);
    if (positions != null && seen.add(piece)) {
      budget.takeSteps(positions.size());
      positions.forEach(found::set);
    }
  }
}

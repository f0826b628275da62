package dev.cairn.content.verification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the names that the shapes in a definition had when it was written. A rename of a shape
 * changes its name in all definitions, including those written before the shape existed. So a
 * current name may have several origins, and only the stored hash shows which one is right.
 */
final class FormerShapeNames {
  /**
   * Maximum combinations that are tried. The first one matches unless a shape was named before it
   * existed.
   */
  private static final int MAX_COMBINATIONS = 1_000;

  /** The name of a shape changed. */
  record ShapeRename(long seq, int opIndex, String oldName, String newName) {
    boolean isAfter(long otherSeq, int otherIndex) {
      return seq > otherSeq || (seq == otherSeq && opIndex > otherIndex);
    }
  }

  /**
   * One combination.
   *
   * @param firstFree the first position that may still be varied
   */
  private record Combination(List<String> names, int firstFree) {}

  private FormerShapeNames() {}

  /**
   * The names that the renames turn into this one, those with the most renames first.
   *
   * @param later the renames since then, in order
   */
  static List<String> origins(String today, List<ShapeRename> later) {
    var origins = new LinkedHashSet<String>();
    origins.add(today);
    for (var rename : later.reversed()) {
      boolean ledHere = origins.contains(rename.newName());
      origins.remove(rename.oldName());
      if (ledHere) {
        origins.add(rename.oldName());
      }
    }
    return List.copyOf(origins.reversed());
  }

  /**
   * Whether a combination of origins matches. The most likely origin of each position is tried
   * first, then combinations with as few others as possible.
   *
   * @param origins for each position, the names that may have been there
   */
  static boolean anyMatches(List<List<String>> origins, Predicate<List<String>> matches) {
    if (origins.stream().anyMatch(List::isEmpty)) {
      return false;
    }
    var untried = new ArrayDeque<Combination>();
    untried.add(new Combination(origins.stream().map(List::getFirst).toList(), 0));
    int known = 1;
    while (!untried.isEmpty()) {
      var combination = untried.remove();
      if (matches.test(combination.names())) {
        return true;
      }
      for (int position = combination.firstFree();
          position < origins.size() && known < MAX_COMBINATIONS;
          position++) {
        var others = origins.get(position);
        for (int i = 1; i < others.size() && known < MAX_COMBINATIONS; i++, known++) {
          var names = new ArrayList<>(combination.names());
          names.set(position, others.get(i));
          untried.add(new Combination(names, position + 1));
        }
      }
    }
    return false;
  }
}

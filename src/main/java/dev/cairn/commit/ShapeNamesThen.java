package dev.cairn.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the shapes that a definition names were called when it was written. A rename changes these
 * texts even where the shape was not there yet when its name was written, so that a name of today
 * may have more than one origin. Which one it was, only the hash of the time can tell.
 */
final class ShapeNamesThen {
  /** So many combinations are tried. The first one fits but for shapes named before they were. */
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
   * @param free the first place that may still be varied
   */
  private record Combination(List<String> names, int free) {}

  private ShapeNamesThen() {}

  /**
   * The names that the renames turn into this one, the longest way first.
   *
   * @param later the renames since then, in their order
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
   * Whether a combination of origins fits; the likeliest origin of each place is tried first, then
   * as few others as will do.
   *
   * @param origins for each place what may have stood there
   */
  static boolean anyFits(List<List<String>> origins, Predicate<List<String>> fits) {
    if (origins.stream().anyMatch(List::isEmpty)) {
      return false;
    }
    var untried = new ArrayDeque<Combination>();
    untried.add(new Combination(origins.stream().map(List::getFirst).toList(), 0));
    int known = 1;
    while (!untried.isEmpty()) {
      var combination = untried.remove();
      if (fits.test(combination.names())) {
        return true;
      }
      for (int place = combination.free();
          place < origins.size() && known < MAX_COMBINATIONS;
          place++) {
        var others = origins.get(place);
        for (int i = 1; i < others.size() && known < MAX_COMBINATIONS; i++, known++) {
          var names = new ArrayList<>(combination.names());
          names.set(place, others.get(i));
          untried.add(new Combination(names, place + 1));
        }
      }
    }
    return false;
  }
}

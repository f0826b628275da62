package dev.cairn.cli.bulk;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts operations that were dealt with before an interruption, by what they asked for. */
final class ReplayedOperations {
  private final Map<String, Long> counts = new HashMap<>();

  /**
   * Counts one.
   *
   * @param operation what it asks for, such as {@code add}
   */
  void add(String operation) {
    counts.merge(operation, 1L, Long::sum);
  }

  /**
   * What became of them. A replayed line does not say it, but the summary counts all. So what the
   * operations asked for is counted, less those that changed nothing, as revises are the first to,
   * and those that failed, as adds are.
   *
   * @param noops how many of them changed nothing
   * @param errors how many of them failed
   */
  Tally tally(long noops, long errors) {
    long unchanged = noops;
    for (var operation : List.of("revise", "retract", "add", "rename")) {
      unchanged -= take(operation, unchanged);
    }
    long failed = errors;
    for (var operation : List.of("add", "rename", "revise", "retract")) {
      failed -= take(operation, failed);
    }
    var counted = Tally.unchanged(noops).plus(Tally.failed(errors));
    for (var operation : counts.entrySet()) {
      counted = counted.plus(Tally.of(operation.getKey(), operation.getValue()));
    }
    return counted;
  }

  private long take(String operation, long wanted) {
    long taken = Math.min(wanted, counts.getOrDefault(operation, 0L));
    counts.merge(operation, -taken, Long::sum);
    return taken;
  }
}

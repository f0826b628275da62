package dev.cairn.cli.bulk;

import dev.cairn.client.OperationResult;
import dev.cairn.client.StreamLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the results of a submission. */
final class StreamResults {
  private final Batch batch;
  private final List<LineFault> faults = new ArrayList<>();

  /** What the operations asked for that were dealt with before an interruption. */
  private final Map<String, Long> replayed = new HashMap<>();

  private Tally tally = Tally.NONE;
  private OperationResult.Failure ended;
  private StreamLine.Summary summary;

  StreamResults(Batch batch) {
    this.batch = batch;
  }

  void add(StreamLine line) {
    switch (line) {
      case StreamLine.Result result -> add(result);
      case StreamLine.Ended end -> ended = end.error();
      case StreamLine.Summary last -> summary = last;
    }
  }

  private void add(StreamLine.Result result) {
    int index = Math.toIntExact(result.opIndex());
    switch (result.status()) {
      case "replayed" -> replayed.merge(batch.operation(index), 1L, Long::sum);
      case "noop" -> tally = tally.plus(Tally.left(1));
      case "error" -> {
        tally = tally.plus(Tally.failed(1));
        faults.add(batch.fault(index, result.error().code(), result.error().detail()));
      }
      default -> tally = tally.plus(Tally.of(result.operation(), 1));
    }
  }

  /**
   * What became of the batch.
   *
   * @throws SendFailure if the submission ended early
   */
  Outcome outcome() throws SendFailure {
    if (ended != null) {
      throw SendFailure.of(ended);
    }
    return new Outcome(tally.plus(replayedTally()), faults);
  }

  /**
   * A replayed line does not say what became of it, but the summary counts all. So what the
   * operations asked for is counted, less those that changed nothing, as revises are the first to,
   * and those that failed, as adds are.
   */
  private Tally replayedTally() {
    long noops = summary.noop() - tally.left();
    long errors = summary.errors() - tally.failed();
    long left = noops;
    for (var operation : List.of("revise", "retract", "add", "rename")) {
      noops -= take(operation, noops);
    }
    long failed = errors;
    for (var operation : List.of("add", "rename", "revise", "retract")) {
      errors -= take(operation, errors);
    }
    var counted = Tally.left(left).plus(Tally.failed(failed));
    for (var operation : replayed.entrySet()) {
      counted = counted.plus(Tally.of(operation.getKey(), operation.getValue()));
    }
    return counted;
  }

  private long take(String operation, long wanted) {
    long taken = Math.min(wanted, replayed.getOrDefault(operation, 0L));
    replayed.merge(operation, -taken, Long::sum);
    return taken;
  }
}

package dev.cairn.cli.bulk;

import dev.cairn.client.OperationResult;
import dev.cairn.client.StreamLine;
import java.util.ArrayList;
import java.util.List;

/** Counts the results of a submission. */
final class StreamResults {
  private final Batch batch;
  private final List<LineFault> faults = new ArrayList<>();

  private final ReplayedOperations replayed = new ReplayedOperations();
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
      case "replayed" -> replayed.add(batch.operation(index));
      case "noop" -> tally = tally.plus(Tally.unchanged(1));
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
    var before =
        replayed.tally(summary.noop() - tally.unchanged(), summary.errors() - tally.failed());
    return new Outcome(tally.plus(before), faults);
  }
}

package dev.cairn.cli.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.client.OperationResult;
import dev.cairn.client.StreamLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamResultsTest {
  private static Batch batch(String... operations) {
    List<Change> changes = new ArrayList<>();
    for (var operation : operations) {
      changes.add(Change.operation(0, 10L + changes.size(), "S/a", operation, "{}"));
    }
    return Batch.of(changes, Collections.nCopies(operations.length, Decision.SEND));
  }

  private static StreamLine.Result result(int index, String status, String operation) {
    var error =
        status.equals("error")
            ? new OperationResult.Failure("NOT_FOUND", "There is none.", null, null)
            : null;
    return new StreamLine.Result(
        index + 1L,
        index,
        null,
        status,
        operation,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        error);
  }

  private static StreamLine.Summary summary(long applied, long noop, long errors) {
    return new StreamLine.Summary(
        "s", "id", null, null, applied + noop + errors, applied, noop, errors, errors > 0);
  }

  @Test
  void results_are_counted_by_their_effects() throws SendFailure {
    var results = new StreamResults(batch("add", "revise", "retract", "rename", "add", "add"));
    results.add(result(0, "applied", "add"));
    results.add(result(1, "applied", "revise"));
    results.add(result(2, "applied", "revise"));
    results.add(result(3, "applied", "rename"));
    results.add(result(4, "noop", "noop"));
    results.add(result(5, "error", "add"));
    results.add(summary(4, 1, 1));
    assertEquals(new Tally(1, 2, 1, 1, 1), results.outcome().tally());
    assertEquals(
        List.of(new LineFault(0, 15, "NOT_FOUND", "There is none.")), results.outcome().faults());
  }

  @Test
  void replayed_lines_are_counted_as_what_they_asked_for() throws SendFailure {
    var results = new StreamResults(batch("add", "add", "revise", "add"));
    results.add(result(0, "replayed", null));
    results.add(result(1, "replayed", null));
    results.add(result(2, "replayed", null));
    results.add(result(3, "applied", "add"));
    results.add(summary(4, 0, 0));
    assertEquals(new Tally(3, 1, 0, 0, 0), results.outcome().tally());
  }

  @Test
  void of_replayed_lines_the_summary_says_how_many_failed_or_changed_nothing() throws SendFailure {
    var results = new StreamResults(batch("add", "add", "revise", "revise", "add"));
    for (int i = 0; i < 4; i++) {
      results.add(result(i, "replayed", null));
    }
    results.add(result(4, "error", "add"));
    results.add(summary(2, 1, 2));
    assertEquals(new Tally(1, 1, 0, 1, 2), results.outcome().tally());
  }

  @Test
  void a_stream_that_ends_because_the_service_stops_is_sent_again() {
    var results = new StreamResults(batch("add"));
    results.add(
        new StreamLine.Ended(
            new OperationResult.Failure("UNAVAILABLE", "It is stopping.", null, null)));
    results.add(summary(0, 0, 0));
    var failure = assertThrows(SendFailure.class, results::outcome);
    assertEquals(Duration.ofSeconds(2), failure.waitTime());
  }

  @Test
  void a_stream_that_ends_because_a_right_was_lost_is_not() {
    var results = new StreamResults(batch("add"));
    results.add(
        new StreamLine.Ended(new OperationResult.Failure("FORBIDDEN", "It is over.", null, null)));
    var failure = assertThrows(SendFailure.class, results::outcome);
    assertEquals(null, failure.waitTime());
    assertTrue(failure.reason().getMessage().contains("It is over."));
  }
}

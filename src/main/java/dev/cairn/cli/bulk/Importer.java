package dev.cairn.cli.bulk;

import dev.cairn.client.CairnException;
import dev.cairn.client.ServerNotReachedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * Imports an input, segment by segment. While one is sent, the next one is read and planned. Before
 * a segment is sent, the state file has what is needed to send the very same again.
 */
final class Importer {
  /** How long a segment is looked up or sent again and again before the import gives up. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** What the user is told meanwhile. */
  interface Listener {
    /**
     * A segment was dealt with.
     *
     * @param position how far the input was read for it
     */
    void progress(long position);

    /** A line failed. */
    void failed(LineFault fault);

    /** A segment is looked up or sent again after a while; called by any thread. */
    void waiting(String reason, Duration wait);
  }

  /**
   * A segment with its operations, but without its parsed items, which would take many times as
   * much memory while it is sent.
   */
  private record Planned(
      long items, long position, List<LineFault> faults, List<Decision> decisions, Batch batch) {}

  private final SegmentReader reader;
  private final Planner planner;
  private final Sender sender;
  private final StateFile file;
  private final Listener listener;
  private final LongSupplier position;
  private ImportState state;

  /** Whether the segment that is sent, or a part of it, may have been applied before. */
  private boolean isUncertain;

  /**
   * Begins.
   *
   * @param reader the input, after the items that the state says were dealt with
   * @param position how far the input was read
   * @param file null to keep no state
   */
  Importer(
      SegmentReader reader,
      LongSupplier position,
      Planner planner,
      Sender sender,
      StateFile file,
      ImportState state,
      Listener listener) {
    this.reader = reader;
    this.position = position;
    this.planner = planner;
    this.sender = sender;
    this.file = file;
    this.state = state;
    this.isUncertain = state.sending() != null;
    this.listener = listener;
  }

  /**
   * Imports what is left of the input.
   *
   * @param maxErrors how many items may fail before it stops
   * @return what became of all items, with those of earlier runs
   * @throws IOException if the input cannot be read
   * @throws SendFailure if the service cannot be reached for too long, or refuses
   * @throws TooManyErrors if more items fail; what was applied before stays
   */
  Tally run(long maxErrors) throws IOException, SendFailure, TooManyErrors, InterruptedException {
    try (var ahead = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory())) {
      try {
        run(maxErrors, ahead);
      } finally {
        ahead.shutdownNow();
      }
    }
    return state.tally();
  }

  private void run(long maxErrors, ExecutorService ahead)
      throws IOException, SendFailure, TooManyErrors, InterruptedException {
    var next = first();
    while (next.items > 0) {
      var current = next;
      Future<Planned> planned = ahead.submit(() -> plan(reader.next()));
      apply(current);
      if (state.tally().failed() > maxErrors) {
        throw new TooManyErrors(state.tally());
      }
      next = await(planned);
    }
  }

  /** Whether anything was applied, or may have been, so that the state is needed to resume. */
  boolean mayHaveApplied() {
    return state.items() > 0 || isUncertain;
  }

  private Planned plan(Segment segment) throws SendFailure, InterruptedException {
    return planned(segment, patiently(() -> decide(segment)));
  }

  private List<Decision> decide(Segment segment) throws SendFailure {
    try {
      return planner.plan(segment.changes());
    } catch (CairnException e) {
      throw SendFailure.of(e);
    } catch (ServerNotReachedException e) {
      throw SendFailure.of(e);
    }
  }

  private Planned planned(Segment segment, List<Decision> decisions) {
    return new Planned(
        segment.items(),
        position.getAsLong(),
        segment.faults(),
        decisions,
        Batch.of(segment.changes(), decisions));
  }

  /** The segment that was interrupted is made again from its decisions. */
  private Planned first() throws IOException, SendFailure, InterruptedException {
    var segment = reader.next();
    var sending = state.sending();
    if (sending == null) {
      return plan(segment);
    }
    var decisions = Decisions.decode(sending.decisions());
    if (segment.items() != sending.items() || decisions.size() != segment.changes().size()) {
      throw new IOException(
          "The input is not what it was when it was interrupted; begin anew with --restart");
    }
    planner.follow(segment.changes());
    return planned(segment, decisions);
  }

  private static Planned await(Future<Planned> planned)
      throws IOException, SendFailure, InterruptedException {
    try {
      return planned.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException fault -> throw fault;
        case SendFailure fault -> throw fault;
        case RuntimeException fault -> throw fault;
        case Error fault -> throw fault;
        default -> throw new IllegalStateException(e.getCause());
      }
    }
  }

  private void apply(Planned planned) throws IOException, SendFailure, InterruptedException {
    var tally =
        Tally.failed(planned.faults.size()).plus(Tally.unchanged(planned.batch.unchanged()));
    planned.faults.forEach(listener::failed);
    if (planned.batch.size() > 0) {
      remember(planned);
      var outcome = send(planned.batch);
      tally = tally.plus(outcome.tally());
      outcome.faults().forEach(listener::failed);
    }
    state = state.applied(planned.items, tally);
    if (file != null) {
      file.write(state);
    }
    listener.progress(planned.position);
  }

  private void remember(Planned planned) throws IOException {
    if (state.sending() != null || file == null) {
      return;
    }
    state =
        state.sending(
            new ImportState.Sending(
                planned.items, Decisions.encode(planned.decisions), System.currentTimeMillis()));
    file.write(state);
  }

  private Outcome send(Batch batch) throws SendFailure, InterruptedException {
    var key = state.key();
    return patiently(
        () -> {
          try {
            return sender.send(batch, key);
          } catch (SendFailure e) {
            isUncertain |= !e.isRefusal();
            throw e;
          }
        });
  }

  /** What the service is asked for. */
  private interface Attempt<T> {
    T get() throws SendFailure;
  }

  /** Asks again and again while the service is restarted, is busy, or cannot be reached. */
  private <T> T patiently(Attempt<T> attempt) throws SendFailure, InterruptedException {
    long begun = System.nanoTime();
    while (true) {
      try {
        return attempt.get();
      } catch (SendFailure e) {
        var wait = e.waitTime();
        if (wait == null || System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw e;
        }
        listener.waiting(e.getMessage(), wait);
        Thread.sleep(wait);
      }
    }
  }
}

package dev.cairn.stream;

import dev.cairn.commit.SubmittedLines;
import dev.cairn.commit.SubmittedLines.Line;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.KeptBytes;
import dev.cairn.stream.SubmissionStore.Run;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of a submission: reads lines, passes over those that were applied when it was sent
 * before, collects the others in batches, and hands these over when they are due. For one virtual
 * thread. It holds no connection to the database while it waits for its client.
 */
abstract class Submission implements AutoCloseable {
  /** Maximum operations of a submission. */
  static final int MAX_OPERATIONS = 1_000_000;

  /** The hint if a submission ended before it was complete. */
  static final String SEND_AGAIN =
      "Send the submission again with the same `Idempotency-Key`: what was applied is not applied"
          + " again.";

  /** Maximum operations of a batch. */
  static final int MAX_BATCH = 5_000;

  /** Bytes of lines after which a batch is due. */
  private static final int MAX_BATCH_BYTES = 2 * 1024 * 1024;

  /** If memory is short, a batch is due from so many bytes on. */
  private static final int MIN_BATCH_BYTES = 64 * 1024;

  /** How long the first line of a batch waits for others. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How long a wait for the client lasts before it is looked whether it is to end. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** How long a client may take no results while others wait for its place. */
  private static final long MAX_SENDING_NANOS = TimeUnit.SECONDS.toNanos(1);

  final SubmissionRuns runs;
  final Run run;
  final ResultLines out;
  private final LineReader reader;
  private final KeptBytes room;
  private final ClientPace pace;
  private final Connection client;

  /** How far it has come, also without an idempotency key. */
  private Progress progress;

  /** Of the lines that are passed over or applied. */
  LinesHash hash = LinesHash.ofNone();

  private final List<Line> batch = new ArrayList<>();
  private int bytes;
  private long firstSince;

  /** How many operations have come before the batch. */
  private int operations;

  /** Since when the client has been waited for; changes with each line. */
  private long waitsSince = System.nanoTime();

  private boolean isWaiting;
  private volatile boolean mustMakeRoom;

  Submission(SubmissionRuns runs, Run run, Progress progress, Connection client) {
    this.runs = runs;
    this.run = run;
    this.progress = progress;
    this.reader = client.reader();
    this.room = client.room();
    this.out = client.out();
    this.pace = client.pace();
    this.client = client;
  }

  /**
   * The connection with a client.
   *
   * @param reader splits the body into lines
   * @param room counts the lines that are kept
   * @param out takes the results
   * @param pace how fast the client is
   * @param abort closes the connection at once, on any thread
   */
  record Connection(
      LineReader reader, KeptBytes room, ResultLines out, ClientPace pace, Runnable abort) {}

  /** How far it has come. */
  final Progress progress() {
    return progress;
  }

  /** Stores how far it has come, in the surrounding transaction. */
  final void advance(Progress next) {
    runs.store().advance(run, next);
  }

  /** Takes what was stored, once that is committed. */
  final void advanced(Progress next) {
    progress = next;
  }

  /** How fast its client is. */
  final ClientPace pace() {
    return pace;
  }

  /**
   * Ends it, because another account waits for its place: as soon as it waits for lines, or at once
   * if the client has taken no results for a second.
   */
  final void makeRoom() {
    mustMakeRoom = true;
    if (out.isSending() && pace.waitingNanos() > MAX_SENDING_NANOS) {
      client.abort().run();
    }
  }

  /**
   * Reads and applies all lines.
   *
   * @throws Problem if it ends early; what was applied stays
   */
  final void apply() throws IOException {
    try {
      applyAll();
    } finally {
      // The client may take long to read why it ends.
      batch.clear();
      reader.dropUnfinished();
    }
  }

  private void applyAll() throws IOException {
    while (!reader.isAtEnd()) {
      runs.checks().requireRunning();
      requirePace();
      var line = next();
      if (line != null) {
        pace.add(line.json().length);
        take(line);
      }
      if (isDue()) {
        handOver();
      }
    }
    pace.endLines();
    if (!batch.isEmpty()) {
      handOver();
    }
    if (operations < progress.operations()) {
      throw otherContent();
    }
    end();
  }

  /** The next line, if it comes in time for the batch or for the next look around. */
  private Line next() throws IOException {
    long now = System.nanoTime();
    long wait =
        batch.isEmpty() || !isSentSoon()
            ? SLICE_NANOS
            : Math.min(SLICE_NANOS, Math.max(0, firstSince + MAX_WAIT_NANOS - now));
    var line = reader.next(Duration.ZERO);
    if (line == null && !reader.isAtEnd() && !reader.lacksRoom()) {
      // A client may take long to read what is sent.
      room.whileUsed(out::send);
      waitsSince = isWaiting ? waitsSince : now;
      isWaiting = true;
      pace.beginToWait();
      line = reader.next(Duration.ofNanos(wait));
      pace.endWait();
    }
    if (line != null || reader.isAtEnd() || reader.lacksRoom()) {
      isWaiting = false;
    } else {
      requirePatience();
    }
    return line;
  }

  private void requirePatience() {
    room.requireRoom();
    if (System.nanoTime() - waitsSince > runs.idle().toNanos()) {
      throw Problem.of(
              ErrorCode.UNAVAILABLE,
              "No whole line came within %d s, so the submission was ended."
                  .formatted(runs.idle().toSeconds()))
          .hint(SEND_AGAIN);
    }
  }

  private void requirePace() {
    if (mustMakeRoom) {
      throw Problem.of(
              ErrorCode.UNAVAILABLE,
              "The submission was ended because others wait for its place: its client sent less than %,d bytes of lines for each second that it was waited for, or was the slowest of those whose accounts have recently had a place for %d minutes."
                  .formatted(
                      ClientPace.MIN_BYTES_PER_SECOND,
                      SubmissionPlaces.MAX_UNDISTURBED.toMinutes()))
          .hint(SEND_AGAIN);
    }
  }

  private void take(Line line) throws IOException {
    if (operations + batch.size() == MAX_OPERATIONS) {
      if (!batch.isEmpty()) {
        handOver();
      }
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "A submission may have at most %,d operations.".formatted(MAX_OPERATIONS))
          .hint("Send the others in another submission.");
    }
    if (operations < progress.operations()) {
      passOver(line);
      return;
    }
    if (progress.isFinished()) {
      throw otherContent();
    }
    if (batch.isEmpty()) {
      firstSince = System.nanoTime();
    }
    batch.add(line);
    bytes += line.json().length;
  }

  /** Passes over a line that was applied before, and compares the content after the last one. */
  private void passOver(Line line) throws IOException {
    hash = hash.with(List.of(line));
    out.replayed(line, operations);
    reader.drop(line);
    operations++;
    if (operations == progress.operations()
        && !Arrays.equals(hash.value(), progress.contentHash())) {
      throw otherContent();
    }
  }

  private static Problem otherContent() {
    return SubmissionStore.mismatch("This key came with other lines before.");
  }

  private boolean isDue() {
    return !batch.isEmpty()
        && (batch.size() >= maxBatch()
            || bytes >= MAX_BATCH_BYTES
            || reader.lacksRoom()
            || (bytes >= MIN_BATCH_BYTES && !room.fits(MIN_BATCH_BYTES / 4))
            || (isSentSoon() && System.nanoTime() - firstSince >= MAX_WAIT_NANOS));
  }

  /** Maximum operations of a batch. */
  abstract int maxBatch();

  /** Whether a batch is due soon, since the client waits for its results. */
  abstract boolean isSentSoon();

  /** Releases what was kept for this run. */
  @Override
  public void close() {}

  private void handOver() throws IOException {
    var lines = new SubmittedLines(operations, List.copyOf(batch));
    batch.clear();
    bytes = 0;
    runs.checks().requireRights(this);
    room.whileUsed(() -> apply(lines));
    lines.lines().forEach(reader::drop);
    operations += lines.size();
  }

  /**
   * Applies lines, and adds their results to the answer.
   *
   * @throws Problem if the submission ends here
   */
  abstract void apply(SubmittedLines lines) throws IOException;

  /** Called after the last line. */
  abstract void end() throws IOException;

  /** Takes that operations failed, so that nothing was applied. */
  final void nothingApplied(int all, int errors) {
    progress =
        new Progress(
            progress.submissionId(), progress.contentHash(), all, 0, 0, errors, null, 0, false);
  }
}

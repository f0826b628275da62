package dev.cairn.stream;

import dev.cairn.commit.StreamedCommits;
import dev.cairn.commit.SubmittedLines.Line;
import dev.cairn.model.Operation;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.page.JsonOut;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes the lines of the answer. Until the first one is sent, a problem may still be answered with
 * a status of its own. See {@code docs/streams.md}, Result lines.
 */
final class ResultLines {
  /** Lines that are not urgent are sent together, when they are as long as this. */
  private static final int MAX_KEPT_BYTES = 32 * 1024;

  private final OutputStream client;
  private final ClientPace pace;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private boolean hasBegun;
  private boolean countsBytes;
  private volatile boolean isSending;

  /**
   * Nothing was sent yet.
   *
   * @param client takes the answer
   * @param pace gets the time that the client takes to read
   */
  ResultLines(OutputStream client, ClientPace pace) {
    this.client = client;
    this.pace = pace;
  }

  /** Counts what the client takes from now on as its progress, since it has no lines to send. */
  void countBytes() {
    countsBytes = true;
  }

  /** Whether the client is waited for at this moment, to take what is sent. */
  boolean isSending() {
    return isSending;
  }

  /** Whether anything was sent. */
  boolean hasBegun() {
    return hasBegun;
  }

  /**
   * Adds the result of an operation that was applied before, when the submission was first sent.
   */
  void replayed(Line line, int opIndex) throws IOException {
    var out = new JsonOut().object();
    out.name("line").value(line.number()).name("opIndex").value(opIndex);
    var opId = Operation.opId(line.json());
    if (opId != null) {
      out.name("opId").value(opId);
    }
    out.name("status").value("replayed").end();
    add(out.toBytes());
    add(new byte[] {'\n'});
  }

  /** Adds whole lines. */
  void add(byte[] lines) throws IOException {
    kept.writeBytes(lines);
    if (kept.size() >= MAX_KEPT_BYTES) {
      send();
    }
  }

  /** Adds the reason why the submission ends early. */
  void error(Failure failure) throws IOException {
    var problem = failure.problem();
    add(
        StreamedCommits.errorLine(
            failure.traceId() == null ? problem : problem.with("traceId", failure.traceId())));
  }

  /**
   * Adds the last line.
   *
   * @param isPartial whether not all operations were applied, or not all were read
   */
  void summary(String streamId, Progress progress, boolean isPartial) throws IOException {
    var out = new JsonOut().object().name("summary").object();
    out.name("streamId").value(streamId);
    out.name("submissionId").value(progress.submissionId().toString());
    if (progress.commitId() != null) {
      out.name("commitId").value(progress.commitId());
      out.name("repoSeq").value(progress.seq());
    }
    out.name("operationCount").value(progress.operations());
    out.name("applied").value(progress.applied());
    out.name("noop").value(progress.noops());
    out.name("errors").value(progress.errors());
    out.name("partial").value(isPartial);
    add(out.end().end().toBytes());
    add(new byte[] {'\n'});
  }

  /** Sends what was added, and waits until the connection has taken it. */
  void send() throws IOException {
    if (kept.size() > 0) {
      hasBegun = true;
      pace.beginToWait();
      isSending = true;
      try {
        client.write(kept.toByteArray());
      } finally {
        isSending = false;
        pace.endWait();
      }
      if (countsBytes) {
        pace.add(kept.size());
      }
      kept.reset();
    }
  }
}

package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.client.CairnException;
import dev.cairn.client.ErrorCode;
import dev.cairn.client.OperationResult;
import dev.cairn.client.RepositoryClient;
import dev.cairn.client.ServerNotReachedException;
import dev.cairn.client.StreamLine;
import dev.cairn.client.StreamOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Imports everything as one commit, or nothing. With a stream, the input is sent while it is read;
 * without one it must fit into one commit.
 */
final class AtomicImport {
  private static final int SEGMENT_OPERATIONS = 5000;
  private static final int SEGMENT_BYTES = 4 * 1024 * 1024;
  private static final Pattern OPERATION = Pattern.compile("^/operations/([0-9]+)");

  private final RepositoryClient repository;
  private final Input input;
  private final Mapping mapping;
  private final AtomicPlan plan;
  private final Consumer<LineFault> failed;

  /** The operation that comes before the input; null if there is none. */
  private final Change first;

  /** The files and lines of the operations that were sent. */
  private long[] lines = new long[1024];

  private int[] files = new int[1024];
  private int sent;
  private long unchanged;
  private final ReplayedOperations operations = new ReplayedOperations();
  private volatile LineFault fault;
  private volatile IOException inputFailure;

  AtomicImport(
      RepositoryClient repository,
      Input input,
      Mapping mapping,
      AtomicPlan plan,
      Change first,
      Consumer<LineFault> failed) {
    this.repository = repository;
    this.input = input;
    this.mapping = mapping;
    this.plan = plan;
    this.first = first;
    this.failed = failed;
  }

  /**
   * Imports by a stream.
   *
   * @throws CommandFailure if an item cannot be imported; nothing is applied then
   * @throws IOException if the input cannot be read; nothing is applied then
   */
  Tally byStream(String stream, StreamOptions options) throws IOException {
    var keyed = options.allOrNothing().withIdempotencyKey(plan.key());
    try (var submission = repository.submitStream(stream, keyed, this::write)) {
      var results = new Results();
      submission.lines().forEach(results::add);
      var tally = results.tally();
      plan.forget();
      return tally;
    } catch (CairnException e) {
      refused(e.code(), SendFailure.of(e));
      throw e;
    } catch (ServerNotReachedException e) {
      if (inputFailure != null) {
        throw new IOException(inputFailure.getMessage(), inputFailure);
      }
      if (fault == null) {
        throw e;
      }
      failed.accept(fault);
      throw nothingApplied();
    }
  }

  /** Forgets what was sent, unless it may have been applied, now or before. */
  private void refused(String code, SendFailure failure) throws IOException {
    boolean isInvalid =
        SendFailure.exitCode(code) == ExitCode.INVALID
            && !code.equals(ErrorCode.IDEMPOTENCY_MISMATCH);
    boolean isCertain = failure.waitTime() == null && !code.equals(ErrorCode.INTERNAL_ERROR);
    if (isInvalid || (isCertain && !plan.isRepeated())) {
      plan.forget();
    }
  }

  private static CommandFailure nothingApplied() {
    return new CommandFailure(ExitCode.INVALID, "An item failed, so nothing was imported.");
  }

  private void write(OutputStream out) throws IOException {
    if (first != null) {
      write(List.of(first), out);
    }
    var reader = new SegmentReader(input, mapping, SEGMENT_OPERATIONS, SEGMENT_BYTES);
    for (var segment = next(reader); !segment.isEnd(); segment = next(reader)) {
      if (!segment.faults().isEmpty()) {
        fault = segment.faults().getFirst();
        throw new IOException(fault.detail());
      }
      write(segment.changes(), out);
    }
    try {
      plan.keep();
    } catch (IOException e) {
      inputFailure = e;
      throw e;
    }
  }

  private Segment next(SegmentReader reader) throws IOException {
    try {
      return reader.next();
    } catch (IOException e) {
      inputFailure = e;
      throw e;
    }
  }

  private void write(List<Change> changes, OutputStream out) throws IOException {
    List<Decision> decisions;
    try {
      decisions = plan.next(changes);
    } catch (IOException e) {
      inputFailure = e;
      throw e;
    }
    for (int i = 0; i < decisions.size(); i++) {
      write(changes.get(i), decisions.get(i), out);
    }
  }

  private synchronized void write(Change change, Decision decision, OutputStream out)
      throws IOException {
    var text = decision.text(change);
    if (text == null) {
      unchanged++;
      return;
    }
    if (sent == lines.length) {
      lines = Arrays.copyOf(lines, 2 * sent);
      files = Arrays.copyOf(files, 2 * sent);
    }
    lines[sent] = change.line();
    files[sent] = change.file();
    sent++;
    operations.add(decision.operation(change));
    out.write(text.getBytes(UTF_8));
    out.write('\n');
  }

  private synchronized Tally replayed(StreamLine.Summary summary) {
    return operations.tally(summary.noop(), summary.errors());
  }

  private synchronized LineFault fault(int index, String code, String detail) {
    return new LineFault(files[index], lines[index], code, detail);
  }

  /**
   * Imports by one commit.
   *
   * @throws CommandFailure if an item cannot be imported, or there are too many; nothing is applied
   *     then
   */
  Tally byCommit(CommitSender sender) throws IOException {
    var reader =
        new SegmentReader(input, mapping, CommitSender.MAX_OPERATIONS, CommitSender.MAX_BYTES);
    var segment = reader.next();
    if (!segment.faults().isEmpty()) {
      segment.faults().forEach(failed);
      throw nothingApplied();
    }
    var changes = first == null ? segment.changes() : prepend(segment.changes());
    if (!reader.next().isEnd() || changes.size() > CommitSender.MAX_OPERATIONS) {
      throw new CommandFailure(
          ExitCode.INVALID,
          "More than 10,000 operations or 15 MiB cannot be one commit, and the repository has no"
              + " streams, which could take them.");
    }
    var batch = Batch.of(changes, plan.next(changes));
    if (batch.size() == 0) {
      return Tally.unchanged(batch.unchanged());
    }
    try {
      plan.keep();
      var outcome = CommitSender.outcome(batch, sender.commit(batch, plan.key(), true));
      plan.forget();
      return outcome.tally().plus(Tally.unchanged(batch.unchanged()));
    } catch (CairnException e) {
      refused(e.code(), SendFailure.of(e));
      tell(batch, e);
      throw e;
    }
  }

  private List<Change> prepend(List<Change> changes) {
    changes.addFirst(first);
    return changes;
  }

  /** The positions of the errors as lines of the input. */
  private void tell(Batch batch, CairnException refused) {
    for (var violation : refused.errors()) {
      var operation = OPERATION.matcher(violation.pointer());
      if (operation.find()) {
        int index = Integer.parseInt(operation.group(1));
        if (index < batch.size()) {
          failed.accept(batch.fault(index, refused.code(), violation.detail()));
        }
      }
    }
  }

  /** Counts the results of an atomic submission. */
  private final class Results {
    private Tally tally = Tally.NONE;
    private OperationResult.Failure ended;
    private StreamLine.Summary summary;
    private boolean isReplayed;

    void add(StreamLine line) {
      switch (line) {
        case StreamLine.Result result -> add(result);
        case StreamLine.Ended end -> ended = end.error();
        case StreamLine.Summary last -> summary = last;
      }
    }

    private void add(StreamLine.Result result) {
      if (result.status().equals("replayed")) {
        isReplayed = true; // all are, since there was one commit
      } else if (result.error() != null) {
        failed.accept(
            fault(
                Math.toIntExact(result.opIndex()), result.error().code(), result.error().detail()));
      } else if (result.status().equals("noop")) {
        tally = tally.plus(Tally.unchanged(1));
      } else {
        tally = tally.plus(Tally.of(result.operation(), 1));
      }
    }

    Tally tally() throws IOException {
      if (ended != null) {
        refused(ended.code(), SendFailure.of(ended));
        throw new CommandFailure(
            SendFailure.exitCode(ended.code()), "Nothing was imported: " + ended.detail());
      }
      return (isReplayed ? replayed(summary) : tally).plus(Tally.unchanged(unchanged));
    }
  }
}

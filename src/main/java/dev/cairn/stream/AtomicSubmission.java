package dev.cairn.stream;

import dev.cairn.commit.SubmittedLines;
import dev.cairn.commit.SubmittedLines.Applied;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.BodyMemory;
import dev.cairn.stream.SubmissionStore.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A submission whose operations become one commit, or none of them is applied: the lines are kept
 * in the database until all have come.
 */
final class AtomicSubmission extends Submission {
  /** Parsed size from which lines are kept in several parts. */
  private static final long MAX_PARSED_BYTES = 16L * 1024 * 1024;

  /** The parsed size of each part that is kept. */
  private final List<Integer> parts = new ArrayList<>();

  /** The numbers of operations to whose results others may refer, of which there are few. */
  private final BitSet referred = new BitSet();

  private int operations;

  /** The bytes of their lines. */
  private long bytes;

  AtomicSubmission(SubmissionRuns runs, Run run, Progress progress, Connection client) {
    super(runs, run, progress, client);
  }

  @Override
  int maxBatch() {
    return 2 * MAX_BATCH;
  }

  @Override
  boolean isSentSoon() {
    return false;
  }

  @Override
  void apply(SubmittedLines lines) {
    for (var line : lines.lines()) {
      if (line.refusal() != null) {
        throw ofLine(line.refusal(), line.number());
      }
    }
    stage(lines);
    hash = hash.with(lines.lines());
    operations += lines.size();
    bytes += lines.lines().stream().mapToLong(line -> line.json().length).sum();
  }

  private static Problem ofLine(Problem problem, int number) {
    return problem.with("line", number);
  }

  private void stage(SubmittedLines lines) {
    long parsed =
        lines.lines().stream().mapToLong(line -> BodyMemory.parsedSize(line.json())).sum();
    if (parsed > MAX_PARSED_BYTES && lines.size() > 1) {
      int half = lines.size() / 2;
      stage(lines.part(0, half));
      stage(lines.part(half, lines.size()));
      return;
    }
    try {
      runs.memory().requireFitting(parsed);
    } catch (Problem e) {
      throw ofLine(e, lines.lines().getFirst().number());
    }
    runs.parts().stage(run, parts.size(), lines);
    parts.add((int) parsed);
    int end = lines.first() + lines.size();
    lines.eachReferredResult(
        number -> {
          // Also to those of the same part, which may be too much to be planned as a whole.
          if (number < end) {
            referred.set(number);
          }
        });
  }

  @Override
  void end() throws IOException {
    if (progress().isFinished()) {
      return;
    }
    if (parts.isEmpty()) {
      var finished = progress().finished();
      runs.inTransaction(() -> advance(finished));
      advanced(finished);
      return;
    }
    runs.checks().requireRights(this);
    var watch =
        new TransactionWatch(
            () -> runs.checks().requireGoingOn(this), TransactionWatch.maxTime(operations, bytes));
    var next = new AtomicReference<Progress>();
    var applied =
        runs.commits()
            .applyAtOnce(
                run.request().access(),
                run.request().text(),
                runs.parts().of(run, parts, referred, watch),
                results -> {
                  next.set(progress().after(results, hash.value()).finished());
                  advance(next.get());
                });
    if (applied.errors() > 0) {
      failed(applied);
    } else {
      advanced(next.get());
      sendResults();
    }
  }

  private void failed(Applied applied) throws IOException {
    out.countBytes();
    out.add(applied.results());
    out.send();
    nothingApplied(operations, applied.errors());
    throw Problem.of(
            ErrorCode.VALIDATION_ERROR,
            "Nothing was applied, because operations have errors: at least %,d of %,d."
                .formatted(applied.errors(), operations))
        .hint("Correct the lines whose results are above, and send all again.");
  }

  private void sendResults() throws IOException {
    out.countBytes();
    for (int ordinal = 0; ordinal < parts.size(); ordinal++) {
      out.add(runs.parts().takeResults(run, ordinal));
      out.send();
    }
  }

  @Override
  public void close() {
    runs.parts().delete(run);
  }
}

package dev.cairn.stream;

import dev.cairn.commit.StreamedCommits;
import dev.cairn.commit.SubmittedLines;
import dev.cairn.model.Problem;
import dev.cairn.stream.SubmissionStore.Run;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A submission whose operations are applied as they come, each by itself: every batch is a commit,
 * whose results are sent at once.
 */
final class PartialSubmission extends Submission {
  private boolean isFirstBatch = true;

  PartialSubmission(SubmissionRuns runs, Run run, Progress progress, Connection client) {
    super(runs, run, progress, client);
  }

  @Override
  int maxBatch() {
    return MAX_BATCH;
  }

  @Override
  boolean isSentSoon() {
    return true;
  }

  @Override
  void apply(SubmittedLines lines) throws IOException {
    if (isFirstBatch) {
      // The request has taken a token for it.
      isFirstBatch = false;
    } else {
      runs.awaitRate(this);
    }
    try {
      commit(lines, lines);
    } catch (Problem e) {
      if (!StreamedCommits.isTooMuch(e)) {
        throw e;
      }
      // They are too much for one commit, or one of them is for any.
      int half = lines.size() / 2;
      if (half == 0) {
        commit(lines, lines.refused(StreamedCommits.ofOperation(e)));
      } else {
        apply(lines.part(0, half));
        apply(lines.part(half, lines.size()));
      }
    }
  }

  /**
   * Commits lines.
   *
   * @param sent the lines as they came
   */
  private void commit(SubmittedLines sent, SubmittedLines lines) throws IOException {
    var withSent = hash.with(sent.lines());
    var next = new AtomicReference<Progress>();
    var applied =
        runs.commits()
            .apply(
                run.request().access(),
                run.request().text(),
                lines,
                results -> {
                  next.set(progress().after(results, withSent.value()));
                  advance(next.get());
                });
    hash = withSent;
    advanced(next.get());
    out.add(applied.results());
    out.send();
  }

  @Override
  void end() {
    if (!progress().isFinished()) {
      var finished = progress().finished();
      runs.inTransaction(() -> advance(finished));
      advanced(finished);
    }
  }
}

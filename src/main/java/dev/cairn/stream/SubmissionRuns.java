package dev.cairn.stream;

import dev.cairn.commit.CommitRate;
import dev.cairn.commit.StreamedCommits;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.Ids;
import dev.cairn.platform.LogIds;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.memory.BodyMemory;
import dev.cairn.platform.memory.PartwiseBody;
import dev.cairn.platform.memory.StreamedBody;
import dev.cairn.stream.SubmissionStore.Run;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Runs submissions: each with a place in this replica, the lease of its stream, and the rights of
 * its caller, which are checked again while it runs. See {@code docs/streams.md}.
 */
@ApplicationScoped
class SubmissionRuns {
  private static final Logger LOG = Logger.getLogger(SubmissionRuns.class);

  private static final Duration MAX_SLEEP = Duration.ofSeconds(1);

  private final Database database;
  private final SubmissionStore store;
  private final StagedParts parts;
  private final BodyMemory memory;
  private final StreamedCommits commits;
  private final CommitRate rate;
  private final SubmissionPlaces places;
  private final SubmissionChecks checks;
  private final CurrentVertxRequest request;
  private final StreamMetrics metrics;
  private final Duration idle;
  private final Set<Run> runs = ConcurrentHashMap.newKeySet();

  SubmissionRuns(
      Database database,
      SubmissionStore store,
      StagedParts parts,
      BodyMemory memory,
      StreamedCommits commits,
      CommitRate rate,
      SubmissionPlaces places,
      SubmissionChecks checks,
      CurrentVertxRequest request,
      StreamMetrics metrics,
      CairnConfig config) {
    this.database = database;
    this.store = store;
    this.parts = parts;
    this.memory = memory;
    this.commits = commits;
    this.rate = rate;
    this.places = places;
    this.checks = checks;
    this.request = request;
    this.metrics = metrics;
    this.idle = Duration.ofSeconds(config.limits().streamIdleSeconds());
  }

  /**
   * Runs a submission to its end.
   *
   * @param body the body, of which nothing was read
   * @param client takes the answer
   * @throws Problem if it is refused before anything is answered
   */
  void run(SubmissionRequest submission, InputStream body, OutputStream client) throws IOException {
    checks.requireRunning();
    rate.take(submission.access());
    var account = submission.access().account().accountId();
    try (var place = places.take(account)) {
      var run = new Run(Ids.next(), submission);
      var begun = store.begin(run);
      runs.add(run);
      try {
        if (begun.former() != null) {
          parts.delete(run.repoId(), begun.former());
        }
        run(run, begun.progress(), body, place, client);
      } finally {
        runs.remove(run);
        store.release(run);
      }
    }
  }

  private void run(
      Run run, Progress progress, InputStream body, SubmissionPlaces.Place place, OutputStream to)
      throws IOException {
    var pace = new ClientPace();
    var http = request.getCurrent().request();
    try (var room = PartwiseBody.kept(body);
        var parts = PartwiseBody.of(body)) {
      var client =
          new Submission.Connection(
              new LineReader(parts, room),
              room,
              new ResultLines(to, pace),
              pace,
              () -> StreamedBody.abort(http));
      try (var submission = submission(run, progress, client)) {
        run(run, progress, submission, place, client.out());
      }
    }
  }

  private Submission submission(Run run, Progress progress, Submission.Connection client) {
    return run.request().isAtomic()
        ? new AtomicSubmission(this, run, progress, client)
        : new PartialSubmission(this, run, progress, client);
  }

  private void run(
      Run run,
      Progress progress,
      Submission submission,
      SubmissionPlaces.Place place,
      ResultLines out)
      throws IOException {
    checks.begin(submission);
    place.assign(submission.pace(), submission::makeRoom);
    String outcome = "aborted";
    try {
      submission.apply();
      outcome = "finished";
      out.summary(
          run.request().streamId(), submission.progress(), submission.progress().errors() > 0);
      out.send();
    } catch (ClientGoneException e) {
      outcome = "client_gone";
      throw e;
    } catch (RuntimeException e) {
      if (!out.hasBegun()) {
        outcome = outcome(e);
        throw e;
      }
      var failure = Failure.of(e);
      outcome = outcome(failure.problem());
      out.error(failure);
      out.summary(run.request().streamId(), submission.progress(), true);
      out.send();
    } finally {
      checks.end(submission);
      ended(run, progress, submission.progress(), outcome);
    }
  }

  private static String outcome(RuntimeException e) {
    return e instanceof Problem problem
        ? problem.code().name().toLowerCase(Locale.ROOT)
        : "aborted";
  }

  private void ended(Run run, Progress before, Progress after, String outcome) {
    metrics.ended(before, after, outcome);
    var ids =
        Map.of(
            "submissionId", after.submissionId(),
            "repoId", run.repoId(),
            "accountId", run.request().access().account().accountId());
    try (var _ = LogIds.of(ids)) {
      LOG.infof(
          "a submission ended: %s; %,d operations, %,d applied, %,d noops, %,d errors",
          outcome,
          after.operations() - before.operations(),
          after.applied() - before.applied(),
          after.noops() - before.noops(),
          after.errors() - before.errors());
    }
  }

  SubmissionChecks checks() {
    return checks;
  }

  SubmissionStore store() {
    return store;
  }

  StagedParts parts() {
    return parts;
  }

  BodyMemory memory() {
    return memory;
  }

  StreamedCommits commits() {
    return commits;
  }

  /** How long a client may take for its next line. */
  Duration idle() {
    return idle;
  }

  void inTransaction(Runnable work) {
    database.transaction(
        () -> {
          work.run();
          return true;
        });
  }

  /** Waits until the rate limit of the account has room for another batch. */
  void awaitRate(Submission submission) {
    var access = submission.run.request().access();
    for (var wait = rate.tryTake(access); wait.isPresent(); wait = rate.tryTake(access)) {
      checks.requireRunning();
      try {
        Thread.sleep(wait.get().compareTo(MAX_SLEEP) < 0 ? wait.get() : MAX_SLEEP);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw Problem.of(ErrorCode.UNAVAILABLE, "The service is being stopped.");
      }
      checks.requireRights(submission);
    }
  }

  /** Renews the leases of all runs of this replica. */
  @Scheduled(every = "4s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void renew() {
    if (!runs.isEmpty()) {
      store.renew(runs);
    }
  }
}

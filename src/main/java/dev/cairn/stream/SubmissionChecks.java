package dev.cairn.stream;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.LateArrival;
import dev.cairn.platform.memory.WaitingRequests;
import dev.cairn.tenant.StreamSetting;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What must hold while a submission runs: its caller still has the right to it, the repository
 * still takes streams, its client is there, and this replica is not being stopped.
 */
@ApplicationScoped
class SubmissionChecks {
  /** Within this time after they were checked, the rights of a caller are not checked again. */
  private static final long RIGHTS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LateArrival rights;
  private final StreamSetting setting;
  private final WaitingRequests clients;
  private final CurrentVertxRequest request;
  private final Map<Submission, Long> checkedAt = new ConcurrentHashMap<>();
  private volatile boolean isStopping;

  SubmissionChecks(
      LateArrival rights,
      StreamSetting setting,
      WaitingRequests clients,
      CurrentVertxRequest request) {
    this.rights = rights;
    this.setting = setting;
    this.clients = clients;
    this.request = request;
  }

  /** Begins with a submission whose rights were just checked; {@link #end} must follow. */
  void begin(Submission submission) {
    checkedAt.put(submission, System.nanoTime());
  }

  /** Ends with a submission. */
  void end(Submission submission) {
    checkedAt.remove(submission);
  }

  /**
   * Ends a submission in order when the service is stopped.
   *
   * @throws Problem {@code UNAVAILABLE}
   */
  void requireRunning() {
    if (isStopping) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "This replica stops.").hint(Submission.SEND_AGAIN);
    }
  }

  /**
   * Checks the rights of the caller again, and whether the repository takes streams, unless that
   * was done within the last second.
   *
   * @throws Problem what a new request would get
   */
  void requireRights(Submission submission) {
    long now = System.nanoTime();
    if (now - checkedAt.get(submission) > RIGHTS_NANOS) {
      rights.check(request.getCurrent());
      if (!setting.isOn(submission.run.repoId())) {
        throw Problem.notFound("Streaming submissions were just switched off in this repository.");
      }
      checkedAt.put(submission, now);
    }
  }

  /**
   * Checks all of it.
   *
   * @throws Problem what a new request would get
   * @throws dev.cairn.platform.ClientGoneException if the client has closed the connection
   */
  void requireGoingOn(Submission submission) {
    requireRunning();
    clients.requireClient();
    requireRights(submission);
  }

  /** The running submissions end in order, with an answer that says so, and others are refused. */
  void stop(@Observes ShutdownDelayInitiatedEvent event) {
    isStopping = true;
  }
}

package dev.cairn.sprite;

import dev.cairn.platform.Deadline;
import java.time.Duration;

/** A command that runs in the pod of a Job. */
final class KubernetesCommand implements SpriteCommand {
  /** How long Kubernetes may take to notice a deadline. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final KubernetesCalls calls;
  private final String job;
  private final String id;
  private final Duration timeout;
  private boolean ran;

  KubernetesCommand(KubernetesCalls calls, KubernetesJob job) {
    this.calls = calls;
    this.job = job.name();
    this.id = job.run().id();
    this.timeout = job.run().timeout();
  }

  /** The deadline for a command that begins now. */
  static Deadline end(SpriteRun run) {
    return Deadline.in(run.timeout().plus(GRACE));
  }

  @Override
  public SpriteState poll() throws SpriteException, InterruptedException {
    var found = calls.pod(KubernetesJob.LABEL + "=" + id);
    if (found.isPresent()) {
      var pod = new KubernetesPod(found.get());
      pod.refuseFailed(calls);
      var status = pod.exitCode();
      if (status.isPresent()) {
        return new SpriteExit(status.getAsInt(), calls.log(pod.name(), KubernetesJob.COMMAND), "");
      }
      ran |= pod.hasStarted();
    }
    if (calls.end().hasPassed()) {
      throw tooLate();
    }
    return this;
  }

  private SpriteException tooLate() {
    return ran
        ? SpriteException.retryable(
            SpriteError.SPRITE_EXECUTION_FAILED,
            "The command did not end within %s and was stopped.".formatted(timeout))
        : SpriteException.retryable(
            SpriteError.SPRITE_CREATE_FAILED,
            "The command did not begin within %s.".formatted(timeout));
  }

  @Override
  public void close() {
    calls.deleteJob(job);
  }
}

package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** Runs each sprite as a Job; {@code docs/sprites.md}, The kubernetes backend. */
@ApplicationScoped
class KubernetesBackend implements SpriteBackend {
  /** A Secret has 1 MiB at most, everything around what it holds included. */
  private static final int MAX_SECRET = 1_000_000;

  /** How long Kubernetes may take to notice a deadline. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final CairnConfig.Sprite config;
  private final KubernetesCluster cluster;

  /** Made with the first run, and kept, since it holds connections. */
  private KubernetesApi api;

  KubernetesBackend(CairnConfig config) {
    this.config = config.sprite();
    this.cluster = new KubernetesCluster(config.sprite().kubernetes());
  }

  private synchronized KubernetesApi api() throws SpriteException {
    if (api == null) {
      api = cluster.api();
    }
    return api;
  }

  @Override
  public String name() {
    return "kubernetes";
  }

  @Override
  public SpriteExit run(SpriteRun run) throws SpriteException, InterruptedException {
    refuseTooMuch(run);
    var calls = new KubernetesCalls(api(), cluster, cluster.namespace());
    var job = new KubernetesJob(run, config.kubernetes());
    var made = calls.makeJob(job.job());
    try {
      calls.makeSecret(job.secret(made.path("metadata").path("uid").asText()));
      return end(run, calls);
    } finally {
      calls.deleteJob(job.name());
    }
  }

  private static void refuseTooMuch(SpriteRun run) throws SpriteException {
    long bytes =
        run.input().length
            + run.secrets().values().stream().mapToLong(value -> value.length()).sum();
    if (bytes > MAX_SECRET) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_CREATE_FAILED,
          "Input and secrets have %,d bytes together, and Kubernetes carries at most %,d."
              .formatted(bytes, MAX_SECRET));
    }
  }

  private static SpriteExit end(SpriteRun run, KubernetesCalls calls)
      throws SpriteException, InterruptedException {
    long deadline = System.nanoTime() + run.timeout().plus(GRACE).toNanos();
    boolean ran = false;
    while (System.nanoTime() < deadline) {
      var pod = calls.pod(KubernetesJob.LABEL + "=" + run.id());
      if (pod.isPresent()) {
        var state = new KubernetesPod(pod.get());
        state.refuseFailed(calls);
        var status = state.exitCode();
        if (status.isPresent()) {
          return new SpriteExit(
              status.getAsInt(), calls.log(state.name(), KubernetesJob.COMMAND), "");
        }
        ran |= state.hasStarted();
      }
      // Until the cluster has got on: docs/decisions/0018-waiting-for-commands.md.
      Thread.sleep(PAUSE);
    }
    throw ran
        ? SpriteException.retryable(
            SpriteError.SPRITE_EXECUTION_FAILED,
            "The command did not end within %s and was stopped.".formatted(run.timeout()))
        : SpriteException.retryable(
            SpriteError.SPRITE_CREATE_FAILED,
            "The command did not begin within %s.".formatted(run.timeout()));
  }
}

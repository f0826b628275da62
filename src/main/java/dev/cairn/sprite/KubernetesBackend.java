package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Runs each sprite as a Job; {@code docs/sprites.md}, The kubernetes backend. */
@ApplicationScoped
class KubernetesBackend implements SpriteBackend {
  /** A Secret has at most 1 MiB, including its metadata. */
  private static final int MAX_SECRET = 1_000_000;

  private final CairnConfig.Sprite config;
  private final KubernetesCluster cluster;

  /** Created with the first run and reused, since it holds connections. */
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
  public List<String> secrets() {
    try {
      return List.of(cluster.token());
    } catch (SpriteException _) {
      return List.of(); // It cannot be read, so it was not sent.
    }
  }

  @Override
  public SpriteState begin(SpriteRun run) throws SpriteException, InterruptedException {
    refuseTooMuch(run);
    var calls =
        new KubernetesCalls(api(), cluster, cluster.namespace(), KubernetesCommand.end(run));
    var job = new KubernetesJob(run, config.kubernetes());
    var command = new KubernetesCommand(calls, job);
    try {
      // If there is no answer, the Job may have been created nevertheless.
      var made = calls.makeJob(job.job());
      calls.makeSecret(job.secret(made.path("metadata").path("uid").asText()));
      return command;
    } catch (SpriteException | InterruptedException | RuntimeException e) {
      command.close();
      throw e;
    }
  }

  private static void refuseTooMuch(SpriteRun run) throws SpriteException {
    long bytes =
        run.input().length()
            + run.secrets().values().stream().mapToLong(value -> value.length()).sum();
    if (bytes > MAX_SECRET) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_CREATE_FAILED,
          "Input and secrets have %,d bytes together, and a Secret has at most %,d."
              .formatted(bytes, MAX_SECRET));
    }
  }
}

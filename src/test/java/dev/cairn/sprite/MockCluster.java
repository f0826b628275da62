package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.Eventually;
import dev.cairn.platform.Configs;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A Kubernetes API, and the backend that calls it; the tests do the cluster's part. */
abstract class MockCluster {
  static final String NAMESPACE = "sprites";

  @TempDir Path account;

  KubernetesMockServer server;
  NamespacedKubernetesClient cluster;
  KubernetesBackend backend;
  Thread thread;
  CompletableFuture<SpriteExit> begun;

  @BeforeEach
  void cluster() throws Exception {
    var answers = new HashMap<ServerRequest, Queue<ServerResponse>>();
    server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            answers,
            new KubernetesMixedDispatcher(answers),
            false);
    server.init();
    cluster = server.createClient().inNamespace(NAMESPACE);
    Files.writeString(account.resolve("token"), "an-account-token\n");
    Files.writeString(account.resolve("namespace"), NAMESPACE);
    backend = backend("http://127.0.0.1:" + server.getPort());
  }

  final KubernetesBackend backend(String apiUrl) {
    return new KubernetesBackend(
        Configs.of(
            Map.of(
                "cairn.sprite.kubernetes.image",
                "registry.example/runner:1",
                "cairn.sprite.kubernetes.cpu",
                "500m",
                "cairn.sprite.kubernetes.api-url",
                apiUrl,
                "cairn.sprite.kubernetes.service-account",
                account.toString())));
  }

  @AfterEach
  void stop() {
    cluster.close();
    server.destroy();
  }

  /** The end of a run that goes on while the test plays the cluster. */
  final CompletableFuture<SpriteExit> begin(SpriteRun run) {
    var end = new CompletableFuture<SpriteExit>();
    begun = end;
    thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    end.complete(Runs.end(backend, run));
                  } catch (Exception e) {
                    end.completeExceptionally(e);
                  }
                });
    return end;
  }

  static SpriteException failure(CompletableFuture<SpriteExit> end) {
    var failure = assertThrows(ExecutionException.class, () -> end.get(30, TimeUnit.SECONDS));
    return assertInstanceOf(SpriteException.class, failure.getCause());
  }

  /** The Job of a run, once its Secret is there too. */
  final Job job(SpriteRun run) throws Exception {
    var name = "cairn-" + run.id();
    Eventually.await(
        "there is a Job with a Secret",
        () -> {
          boolean isThere =
              cluster.batch().v1().jobs().withName(name).get() != null
                  && cluster.secrets().withName(name).get() != null;
          if (!isThere && begun.isDone()) {
            begun.get();
          }
          return isThere;
        });
    return cluster.batch().v1().jobs().withName(name).get();
  }

  final void pod(SpriteRun run, PodStatus status) {
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("pod")
            .addToLabels("cairn.dev/attempt", run.id())
            .endMetadata()
            .withStatus(status)
            .build();
    cluster.pods().resource(pod).create();
  }

  final void log(String container, String text) {
    server
        .expect()
        .get()
        .withPath(
            "/api/v1/namespaces/sprites/pods/pod/log?container=%s&tailLines=1000&limitBytes=65536"
                .formatted(container))
        .andReturn(200, text)
        .always();
  }

  static ContainerStatus ended(String container, int exitCode) {
    return new ContainerStatusBuilder()
        .withName(container)
        .withNewState()
        .withNewTerminated()
        .withExitCode(exitCode)
        .endTerminated()
        .endState()
        .build();
  }

  static PodStatus status(ContainerStatus container) {
    return new PodStatusBuilder().withContainerStatuses(container).build();
  }

  final void finish(SpriteRun run, CompletableFuture<SpriteExit> end) throws Exception {
    log("command", "");
    pod(run, status(ended("command", 0)));
    assertEquals(0, end.get(30, TimeUnit.SECONDS).status());
  }
}

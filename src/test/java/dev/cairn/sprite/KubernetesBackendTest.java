package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.Configs;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
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
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sprites, the kubernetes backend: {@code docs/sprites.md}. The tests do the cluster's part. */
@HttpTest
@QuarkusTest
@InProcess("It calls by the backend itself, not by the service.")
class KubernetesBackendTest {
  private static final String NAMESPACE = "sprites";

  @TempDir Path account;

  private KubernetesMockServer server;
  private NamespacedKubernetesClient cluster;
  private KubernetesBackend backend;
  private Thread thread;
  private CompletableFuture<SpriteExit> begun;

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
    backend =
        new KubernetesBackend(
            Configs.of(
                Map.of(
                    "cairn.sprite.kubernetes.image",
                    "registry.example/runner:1",
                    "cairn.sprite.kubernetes.cpu",
                    "500m",
                    "cairn.sprite.kubernetes.api-url",
                    "http://127.0.0.1:" + server.getPort(),
                    "cairn.sprite.kubernetes.service-account",
                    account.toString())));
  }

  @AfterEach
  void stop() {
    cluster.close();
    server.destroy();
  }

  /** The end of a run that goes on while the test plays the cluster. */
  private CompletableFuture<SpriteExit> begin(SpriteRun run) {
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

  private static SpriteException failure(CompletableFuture<SpriteExit> end) {
    var failure = assertThrows(ExecutionException.class, () -> end.get(30, TimeUnit.SECONDS));
    return assertInstanceOf(SpriteException.class, failure.getCause());
  }

  /** The Job of a run, once its Secret is there too. */
  private Job job(SpriteRun run) throws Exception {
    var name = "cairn-" + run.id();
    for (int i = 0; i < 1_000; i++) {
      var job = cluster.batch().v1().jobs().withName(name).get();
      if (job != null && cluster.secrets().withName(name).get() != null) {
        return job;
      }
      if (begun.isDone()) {
        begun.get();
      }
      Thread.sleep(10);
    }
    throw new AssertionError("there is no Job with a Secret");
  }

  private void pod(SpriteRun run, PodStatus status) {
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

  private void log(String container, String text) {
    server
        .expect()
        .get()
        .withPath(
            "/api/v1/namespaces/sprites/pods/pod/log?container=%s&tailLines=1000&limitBytes=65536"
                .formatted(container))
        .andReturn(200, text)
        .always();
  }

  private static ContainerStatus ended(String container, int exitCode) {
    return new ContainerStatusBuilder()
        .withName(container)
        .withNewState()
        .withNewTerminated()
        .withExitCode(exitCode)
        .endTerminated()
        .endState()
        .build();
  }

  private static PodStatus status(ContainerStatus container) {
    return new PodStatusBuilder().withContainerStatuses(container).build();
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), UTF_8);
  }

  @Test
  void the_status_and_the_log_of_the_command_come_back_and_nothing_stays() throws Exception {
    var run = Runs.of("exit 3");
    var end = begin(run);
    job(run);
    log("command", "the log");
    pod(run, status(ended("command", 3)));
    assertEquals(new SpriteExit(3, "the log", ""), end.get(30, TimeUnit.SECONDS));
    assertNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
  }

  @Test
  void a_job_is_bounded_and_has_no_rights() throws Exception {
    var run = Runs.of("true");
    var end = begin(run);
    var spec = job(run).getSpec();
    assertEquals(0, spec.getBackoffLimit());
    assertEquals(60L, spec.getActiveDeadlineSeconds());
    assertEquals(300, spec.getTtlSecondsAfterFinished());
    var pod = spec.getTemplate().getSpec();
    assertEquals("Never", pod.getRestartPolicy());
    assertFalse(pod.getAutomountServiceAccountToken());
    assertFalse(pod.getEnableServiceLinks());
    assertTrue(pod.getSecurityContext().getRunAsNonRoot());
    assertEquals(65_534L, pod.getSecurityContext().getRunAsUser());
    assertEquals("RuntimeDefault", pod.getSecurityContext().getSeccompProfile().getType());
    var command = pod.getContainers().getFirst();
    assertEquals("registry.example/runner:1", command.getImage());
    assertFalse(command.getSecurityContext().getAllowPrivilegeEscalation());
    assertTrue(command.getSecurityContext().getReadOnlyRootFilesystem());
    assertEquals(List.of("ALL"), command.getSecurityContext().getCapabilities().getDrop());
    var limits = command.getResources().getLimits();
    assertEquals("500m", limits.get("cpu").toString());
    assertEquals("512Mi", limits.get("memory").toString());
    assertEquals("1Gi", limits.get("ephemeral-storage").toString());
    finish(run, end);
  }

  private void finish(SpriteRun run, CompletableFuture<SpriteExit> end) throws Exception {
    log("command", "");
    pod(run, status(ended("command", 0)));
    assertEquals(0, end.get(30, TimeUnit.SECONDS).status());
  }

  @Test
  void secrets_and_input_are_in_a_secret_of_the_job_alone() throws Exception {
    var run =
        Runs.with(
            Map.of("CAIRN_TOKEN", "cairn_svc_x", "API_KEY", "k"), "org/repo/pool", Runs.of("true"));
    var end = begin(run);
    var job = job(run);
    var secret = cluster.secrets().withName("cairn-" + run.id()).get();
    var owner = secret.getMetadata().getOwnerReferences().getFirst();
    assertEquals("Job", owner.getKind());
    assertEquals(job.getMetadata().getUid(), owner.getUid());
    assertEquals("cairn_svc_x", decoded(secret.getData().get("CAIRN_TOKEN")));
    assertEquals("k", decoded(secret.getData().get("API_KEY")));
    assertEquals(Runs.INPUT, decoded(secret.getData().get("cairn.input")));
    var environment = job.getSpec().getTemplate().getSpec().getContainers().getFirst().getEnv();
    assertEquals(
        "cairn_svc_x", decoded(secret.getData().get(reference(environment, "CAIRN_TOKEN"))));
    assertEquals("API_KEY", reference(environment, "API_KEY"));
    assertFalse(job.toString().contains("cairn_svc_x"), job::toString);
    assertEquals("org-repo-pool", job.getMetadata().getLabels().get("cairn.dev/pool"));
    assertEquals("cairn-org-repo-sub", job.getMetadata().getLabels().get("cairn.dev/container"));
    finish(run, end);
  }

  private static String reference(List<EnvVar> environment, String name) {
    return variable(environment, name).getValueFrom().getSecretKeyRef().getKey();
  }

  private static EnvVar variable(List<EnvVar> environment, String name) {
    return environment.stream().filter(v -> v.getName().equals(name)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"STDIN, 4", "JSON_FILE, 5", "ENV, 3"})
  void the_command_is_an_argument_and_no_part_of_a_script(InputMode mode, int length)
      throws Exception {
    var run = Runs.with(mode, "a/in.json", Runs.of("echo $(date) $$ \"; true"));
    var end = begin(run);
    var command = job(run).getSpec().getTemplate().getSpec().getContainers().getFirst();
    var line = command.getCommand();
    assertEquals(length, line.size());
    // Kubernetes makes one of two, and so replaces nothing.
    assertEquals("echo $$(date) $$$$ \"; true", line.get(mode == InputMode.ENV ? 2 : 3));
    if (mode == InputMode.JSON_FILE) {
      assertEquals("/data/a/in.json", line.getLast());
      assertEquals("/data/a/in.json", variable(command.getEnv(), "CAIRN_INPUT_PATH").getValue());
    }
    if (mode == InputMode.ENV) {
      assertEquals("cairn.input", reference(command.getEnv(), "CAIRN_INPUT"));
    }
    finish(run, end);
  }

  @Test
  void a_checkout_comes_first_and_knows_no_secret() throws Exception {
    var run =
        Runs.with(
            new GitSource("https://git.example.org/o/r", "main"),
            Runs.with(Map.of("CAIRN_TOKEN", "t"), null, Runs.of("true")));
    var end = begin(run);
    var steps = job(run).getSpec().getTemplate().getSpec().getInitContainers();
    assertEquals(3, steps.size());
    var fetch = steps.get(1);
    assertEquals(
        List.of("--", "https://git.example.org/o/r", "main"),
        fetch.getCommand().subList(5, fetch.getCommand().size()));
    assertEquals("https", variable(fetch.getEnv(), "GIT_ALLOW_PROTOCOL").getValue());
    assertTrue(
        steps.stream().noneMatch(step -> step.toString().contains("secretKeyRef=SecretKey")));
    assertTrue(
        steps.stream()
            .flatMap(step -> step.getVolumeMounts().stream())
            .noneMatch(mount -> mount.getName().equals("input")));
    log("checkout-1", "fatal: no such ref");
    pod(
        run,
        new PodStatusBuilder()
            .withInitContainerStatuses(ended("checkout-0", 0), ended("checkout-1", 128))
            .build());
    var failure = failure(end);
    assertEquals(SpriteError.SPRITE_CREATE_FAILED, failure.error());
    assertEquals("fatal: no such ref", failure.output());
  }

  @Test
  void an_image_that_cannot_be_had_fails_at_once() throws Exception {
    var run = Runs.of("true");
    var end = begin(run);
    job(run);
    pod(
        run,
        status(
            new ContainerStatusBuilder()
                .withName("command")
                .withNewState()
                .withNewWaiting("no such image", "ImagePullBackOff")
                .endState()
                .build()));
    var failure = failure(end);
    assertEquals(SpriteError.SPRITE_CREATE_FAILED, failure.error());
    assertTrue(failure.getMessage().contains("ImagePullBackOff"), failure::getMessage);
    assertNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
  }

  @Test
  void a_pod_that_was_taken_away_is_told() throws Exception {
    var run = Runs.of("true");
    var end = begin(run);
    job(run);
    pod(
        run,
        new PodStatusBuilder()
            .withPhase("Failed")
            .withReason("Evicted")
            .withMessage("low")
            .build());
    var failure = failure(end);
    assertEquals(SpriteError.SPRITE_EXECUTION_FAILED, failure.error());
    assertTrue(failure.isRetryable());
    assertEquals("Kubernetes has ended the pod: Evicted low", failure.getMessage());
  }

  @Test
  void the_end_of_the_service_deletes_the_job() throws Exception {
    var run = Runs.of("sleep 300");
    var end = begin(run);
    job(run);
    thread.interrupt();
    var failure = assertThrows(ExecutionException.class, () -> end.get(30, TimeUnit.SECONDS));
    assertInstanceOf(InterruptedException.class, failure.getCause());
    assertNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
  }

  @Test
  void a_command_that_nobody_looks_at_any_more_is_deleted_with_its_job() throws Exception {
    var run = Runs.of("sleep 300");
    var command = assertInstanceOf(SpriteCommand.class, backend.begin(run));
    assertSame(command, command.look());
    assertNotNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
    command.close();
    assertNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
  }

  @Test
  void what_does_not_end_in_its_time_and_half_a_minute_is_given_up() throws Exception {
    var late = Runs.with(Duration.ofSeconds(-31), Runs.of("true"));
    var waits = assertInstanceOf(SpriteCommand.class, backend.begin(late));
    var never = assertThrows(SpriteException.class, waits::look);
    assertEquals(SpriteError.SPRITE_CREATE_FAILED, never.error());
    pod(
        late,
        status(
            new ContainerStatusBuilder()
                .withName("command")
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .build()));
    var stopped = assertThrows(SpriteException.class, waits::look);
    assertEquals(SpriteError.SPRITE_EXECUTION_FAILED, stopped.error());
    waits.close();
  }

  @Test
  void without_its_secret_a_job_does_not_stay() throws Exception {
    server
        .expect()
        .post()
        .withPath("/api/v1/namespaces/sprites/secrets")
        .andReturn(403, "{}")
        .always();
    var run = Runs.of("true");
    var failure = assertThrows(SpriteException.class, () -> backend.begin(run));
    assertEquals(403, failure.httpStatus());
    assertNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
  }

  @ParameterizedTest
  @CsvSource({"403, false", "422, false", "429, true", "500, true"})
  void a_refusal_of_the_api_is_told(int status, boolean retryable) {
    server
        .expect()
        .post()
        .withPath("/apis/batch/v1/namespaces/sprites/jobs")
        .andReturn(status, "{}")
        .always();
    var failure = assertThrows(SpriteException.class, () -> backend.begin(Runs.of("true")));
    assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
    assertEquals(status, failure.httpStatus());
    assertEquals(retryable, failure.isRetryable());
  }

  @Test
  void without_the_files_of_an_account_the_key_is_missing() throws Exception {
    Files.delete(account.resolve("token"));
    var failure = assertThrows(SpriteException.class, () -> backend.begin(Runs.of("true")));
    assertEquals(SpriteError.SPRITE_AUTH_MISSING, failure.error());
    assertFalse(failure.isRetryable());
  }

  @Test
  void the_account_says_who_calls() throws Exception {
    var run = Runs.of("true");
    var end = begin(run);
    job(run);
    finish(run, end);
    // The test looks for the Job meanwhile, by a token of its own.
    var made = server.takeRequest();
    while (!made.getMethod().equals("POST")) {
      made = server.takeRequest();
    }
    assertEquals("Bearer an-account-token", made.getHeader("Authorization"));
  }

  @Test
  void an_input_beyond_what_a_secret_holds_is_refused_before_anything_is_made() throws Exception {
    var run = Runs.with(new byte[1_000_001], Runs.of("true"));
    var failure = assertThrows(SpriteException.class, () -> backend.begin(run));
    assertEquals(SpriteError.SPRITE_CREATE_FAILED, failure.error());
    assertFalse(failure.isRetryable());
    assertEquals(0, server.getRequestCount());
    var fits = Runs.with(new byte[1_000_000], Runs.of("true"));
    var end = begin(fits);
    job(fits);
    finish(fits, end);
  }

  @Test
  void names_fit_into_what_kubernetes_takes() {
    var run = Runs.with(Map.of(), "org/repo/" + "p".repeat(100), Runs.of("true"));
    var config = Configs.of(Map.of("cairn.sprite.kubernetes.image", "i")).sprite().kubernetes();
    var job = new KubernetesJob(Runs.with(Duration.ofMillis(1), run), config);
    assertTrue(job.name().matches("[a-z0-9-]{1,63}"), job.name());
    var labels = ((Map<?, ?>) ((Map<?, ?>) job.job().get("metadata")).get("labels"));
    assertTrue(
        labels
            .get("cairn.dev/pool")
            .toString()
            .matches("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"),
        labels::toString);
  }
}

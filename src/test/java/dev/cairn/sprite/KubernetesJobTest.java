package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.Configs;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sprites, the kubernetes backend: the Job and the Secret that it creates for a run. */
@HttpTest
@QuarkusTest
@InProcess("It calls by the backend itself, not by the service.")
class KubernetesJobTest extends MockCluster {
  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), UTF_8);
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
  void the_password_of_the_git_base_is_in_the_secret_and_not_for_the_command() throws Exception {
    var git = new GitSource("https://user:p%40ss@git.example.org/o/r", "main");
    var run = Runs.with(git, Runs.of("true"));
    var end = begin(run);
    var job = job(run);
    assertFalse(job.toString().matches("(?s).*(p%40ss|p@ss|dXNlcjpwQHNz).*"), job::toString);
    var pod = job.getSpec().getTemplate().getSpec();
    var fetch = pod.getInitContainers().get(1);
    assertEquals("https://git.example.org/o/r", fetch.getCommand().get(6));
    assertEquals("3", variable(fetch.getEnv(), "GIT_CONFIG_COUNT").getValue());
    assertEquals(
        "http.https://git.example.org/o/r.extraHeader",
        variable(fetch.getEnv(), "GIT_CONFIG_KEY_2").getValue());
    var key = reference(fetch.getEnv(), "GIT_CONFIG_VALUE_2");
    var secret = cluster.secrets().withName("cairn-" + run.id()).get();
    assertEquals("Authorization: Basic dXNlcjpwQHNz", decoded(secret.getData().get(key)));
    var command = pod.getContainers().getFirst();
    assertFalse(command.toString().contains(key), command::toString);
    assertTrue(
        pod.getVolumes().stream()
            .filter(volume -> volume.getSecret() != null)
            .flatMap(volume -> volume.getSecret().getItems().stream())
            .noneMatch(item -> item.getKey().equals(key)));
    finish(run, end);
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

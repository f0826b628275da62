package dev.cairn.sprite;

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
import dev.cairn.SelfSigned;
import dev.cairn.action.Outcome;
import dev.cairn.sprite.ScriptedService.Answer;
import dev.cairn.work.Step;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sprites, the kubernetes backend: how a run ends, and what the API answers. */
@HttpTest
@QuarkusTest
@InProcess("It calls by the backend itself, not by the service.")
class KubernetesBackendTest extends MockCluster {
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
  void an_image_that_cannot_be_pulled_fails_at_once() throws Exception {
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
  void a_pod_that_was_evicted_is_reported() throws Exception {
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
    assertEquals("Kubernetes has ended the pod: Evicted", failure.getMessage());
    assertEquals("low", failure.output());
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
    assertSame(command, command.poll());
    assertNotNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
    command.close();
    assertNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
  }

  @Test
  void what_does_not_end_in_its_time_and_half_a_minute_is_given_up() throws Exception {
    var late = Runs.with(Duration.ofSeconds(-31), Runs.of("true"));
    var waits = assertInstanceOf(SpriteCommand.class, backend.begin(late));
    var never = assertThrows(SpriteException.class, waits::poll);
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
    var stopped = assertThrows(SpriteException.class, waits::poll);
    assertEquals(SpriteError.SPRITE_EXECUTION_FAILED, stopped.error());
    waits.close();
  }

  /** What stands before the API server may quote a header; Kubernetes replaces tokens meanwhile. */
  @Test
  void tokens_of_the_service_account_are_masked_also_one_that_came_while_the_command_ran()
      throws Exception {
    var run = Runs.of("true");
    var sprite = new RunningSprite(new SimpleMeterRegistry(), backend.name(), List.of());
    sprite.mask(backend.secrets(), List.of(), backend::secrets);
    assertSame(sprite, sprite.step(() -> backend.begin(run)));
    Files.writeString(account.resolve("token"), "the-next-token");
    pod(
        run,
        new PodStatusBuilder()
            .withPhase("Failed")
            .withReason("Evicted")
            .withMessage("first an-account-token, then the-next-token")
            .build());
    var ended = assertInstanceOf(Step.Ended.class, sprite.poll());
    var failed = assertInstanceOf(Outcome.Failed.class, ended.result());
    assertTrue(failed.message().endsWith("first …, then …"), failed::message);
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

  @Test
  void the_api_is_called_only_if_the_clusters_authority_is_trusted(@TempDir Path directory)
      throws Exception {
    var key = new SelfSigned(directory);
    for (boolean isTrusted : List.of(false, true)) {
      if (isTrusted) {
        Files.writeString(account.resolve("ca.crt"), key.certificate());
      }
      var refusal = new Answer(403, "{}");
      try (var api = new ScriptedService(key.context(), refusal, refusal)) {
        var failure =
            assertThrows(SpriteException.class, () -> backend(api.url()).begin(Runs.of("true")));
        assertEquals(isTrusted ? 403 : null, failure.httpStatus());
        assertEquals(isTrusted ? List.of("POST", "DELETE") : List.of(), api.requests);
      }
    }
  }

  @Test
  void a_job_that_may_have_been_made_does_not_stay() throws Exception {
    for (var answer : List.of(ScriptedService.NONE, new Answer(201, "no JSON"))) {
      try (var api = new ScriptedService(answer, new Answer(200, "{}"))) {
        var failure =
            assertThrows(SpriteException.class, () -> backend(api.url()).begin(Runs.of("true")));
        assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
        assertTrue(failure.isRetryable());
        assertEquals(List.of("POST", "DELETE"), api.requests);
      }
    }
  }

  @Test
  void a_log_of_more_than_one_mib_is_an_error_that_may_pass() throws Exception {
    var run = Runs.of("true");
    var end = begin(run);
    job(run);
    log("command", "x".repeat(1024 * 1024 + 1));
    pod(run, status(ended("command", 0)));
    var failure = failure(end);
    assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
    assertEquals(
        "The backend's answer to the request for the log has more than 1 MiB.",
        failure.getMessage());
    assertTrue(failure.isRetryable());
    assertNull(cluster.batch().v1().jobs().withName("cairn-" + run.id()).get());
  }

  @ParameterizedTest
  @CsvSource({"403, false", "422, false", "429, true", "500, true"})
  void a_refusal_of_the_api_is_reported(int status, boolean retryable) {
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
}

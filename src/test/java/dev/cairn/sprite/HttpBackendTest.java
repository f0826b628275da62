package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import dev.cairn.sprite.ScriptedService.Answer;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sprites, the http backend: {@code docs/sprites.md}. */
@HttpTest
@QuarkusTest
@InProcess("It calls by the backend itself, not by the service.")
class HttpBackendTest {
  private static final String EXITED = "{\"state\":\"exited\",\"exitCode\":0,\"later\":true}";

  @BeforeAll
  static void commandsCanRun() {
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
  }

  private static HttpBackend backend(String url, String key) {
    return new HttpBackend(
        Configs.of(
            key == null
                ? Map.of("cairn.sprite.url", url)
                : Map.of("cairn.sprite.url", url, "cairn.sprite.key", key)));
  }

  private static SpriteException failure(String url, String key) {
    return assertThrows(SpriteException.class, () -> Runs.end(backend(url, key), Runs.of("true")));
  }

  @Test
  void a_command_runs_and_its_end_comes_back() throws Exception {
    try (var service = new ReferenceService()) {
      var run =
          Runs.with(
              Map.of("API_KEY", "k"),
              "org/repo/pool",
              Runs.of("cat; echo $CAIRN_REPO $API_KEY >&2; exit 4"));
      var exit = Runs.end(backend(service.url(), ReferenceService.KEY), run);
      assertEquals(new SpriteExit(4, Runs.INPUT, "org/repo k\n", true), exit);
      var told = service.begun.getFirst();
      assertEquals("cairn-org-repo-sub", told.path("container").asText());
      assertEquals("org/repo/pool", told.path("pool").asText());
      assertEquals("stdin", told.path("inputMode").asText());
      assertEquals(60, told.path("timeoutSeconds").asInt());
      assertFalse(told.has("git") || told.has("inputPath"), told::toString);
      assertEquals("PUT " + run.id(), service.requests.getFirst());
    }
  }

  @Test
  void a_path_and_a_checkout_are_told() throws Exception {
    try (var service = new ReferenceService()) {
      var run =
          Runs.with(
              new GitSource("https://git.example.org/o/r", "main"),
              Runs.with(InputMode.JSON_FILE, "a/b.json", Runs.of("true")));
      Runs.end(backend(service.url(), ReferenceService.KEY), run);
      var told = service.begun.getFirst();
      assertEquals("a/b.json", told.path("inputPath").asText());
      assertEquals("https://git.example.org/o/r", told.path("git").path("url").asText());
      assertEquals("main", told.path("git").path("ref").asText());
    }
  }

  @Test
  void what_takes_longer_is_asked_for_again() throws Exception {
    try (var service =
        new ScriptedService(
            new Answer(202, "{\"state\":\"running\"}"),
            new Answer(200, "{\"state\":\"running\"}"),
            new Answer(200, EXITED))) {
      assertEquals(
          new SpriteExit(0, "", "", true), Runs.end(backend(service.url(), "k"), Runs.of("true")));
      assertEquals(List.of("PUT", "GET", "GET"), service.requests);
    }
  }

  @Test
  void without_a_key_nothing_is_sent() throws Exception {
    try (var service = new ScriptedService()) {
      var missing = failure(service.url(), null);
      assertEquals(SpriteError.SPRITE_AUTH_MISSING, missing.error());
      assertFalse(missing.isRetryable());
      assertEquals(List.of(), service.requests);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400, false",
    "401, false",
    "403, false",
    "404, false",
    "302, false",
    "408, true",
    "425, true",
    "429, true"
  })
  void a_status_is_told_and_says_whether_to_try_again(int status, boolean retryable)
      throws Exception {
    try (var service = new ScriptedService(new Answer(status, ""), new Answer(204, ""))) {
      var failure = failure(service.url(), "k");
      assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
      assertEquals(status, failure.httpStatus());
      assertEquals(retryable, failure.isRetryable());
      assertEquals(List.of("PUT", "DELETE"), service.requests, "what may run is stopped");
    }
  }

  @Test
  void an_answer_without_a_state_is_an_error_that_may_pass() throws Exception {
    try (var service = new ScriptedService(new Answer(200, ""), new Answer(204, ""))) {
      var failure = failure(service.url(), "k");
      assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
      assertTrue(failure.isRetryable());
      assertEquals(List.of("PUT", "DELETE"), service.requests);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>s3cret</html>", "{\"state\": s3cret}", "[]", "null"})
  void an_answer_that_cannot_be_read_is_an_error_that_may_pass(String body) throws Exception {
    try (var service = new ScriptedService(new Answer(200, body), new Answer(204, ""))) {
      var failure = failure(service.url(), "k");
      assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
      assertTrue(failure.isRetryable());
      assertEquals(
          "The backend's answer to a new run is not the JSON that was expected.",
          failure.getMessage());
      assertEquals(List.of("PUT", "DELETE"), service.requests);
    }
  }

  @ParameterizedTest
  @CsvSource({"1_048_576, true", "1_048_577, false"})
  void an_answer_of_more_than_one_mib_is_an_error_that_may_pass(String length, boolean isRead)
      throws Exception {
    var rest = "{\"state\":\"exited\",\"exitCode\":0,\"stdout\":\"\"}";
    var output = "x".repeat(Integer.parseInt(length.replace("_", "")) - rest.length());
    var answer = new Answer(200, rest.replace("\"\"}", "\"" + output + "\"}"));
    try (var service = new ScriptedService(answer, new Answer(204, ""))) {
      if (isRead) {
        var exit = Runs.end(backend(service.url(), "k"), Runs.of("true"));
        assertEquals(output, exit.output());
      } else {
        var failure = failure(service.url(), "k");
        assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
        assertEquals(
            "The backend's answer to a new run has more than 1 MiB.", failure.getMessage());
        assertTrue(failure.isRetryable());
        assertFalse(failure.isBackendFailure());
        assertEquals(List.of("PUT", "DELETE"), service.requests);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "multipart/form-data; boundary=x"})
  void an_answer_without_end_is_read_no_further_than_one_mib(String type) throws Exception {
    try (var service = new EndlessService(type, "x".repeat(64 * 1024), Duration.ZERO)) {
      assertTrue(failure(service.url(), "k").getMessage().contains("1 MiB"));
      assertTrue(service.isCutOff());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {200, 60_000})
  void an_answer_that_drips_does_not_hold_an_attempt_beyond_its_time(long pause) throws Exception {
    try (var service = new EndlessService("application/json", "x", Duration.ofMillis(pause))) {
      var run = Runs.with(Duration.ofSeconds(-28), Runs.of("true"));
      long begun = System.nanoTime();
      var failure =
          assertThrows(SpriteException.class, () -> Runs.end(backend(service.url(), "k"), run));
      assertEquals(SpriteError.SPRITE_EXECUTION_FAILED, failure.error());
      assertTrue(failure.isRetryable());
      assertFalse(failure.isBackendFailure());
      assertTrue(Duration.ofNanos(System.nanoTime() - begun).toSeconds() < 20);
    }
  }

  @Test
  void failed_calls_keep_no_connections() throws Exception {
    int failures = 100;
    var answers = new Answer[failures * (Calls.MAX_FAILURES + 1) + 1];
    for (int i = 0; i < failures * (Calls.MAX_FAILURES + 1); i++) {
      answers[i] = new Answer(i % 2 == 0 ? 500 : 503, "x".repeat(200_000));
    }
    answers[answers.length - 1] = new Answer(200, EXITED);
    try (var service = new ScriptedService(answers)) {
      var backend = backend(service.url(), "k");
      for (int i = 0; i < failures; i++) {
        assertThrows(SpriteException.class, () -> backend.begin(Runs.of("true")));
      }
      assertEquals(0, Runs.end(backend, Runs.of("true")).status());
      assertEquals(answers.length, service.requests.size());
    }
  }

  @Test
  void a_moment_of_trouble_passes() throws Exception {
    try (var service =
        new ScriptedService(new Answer(503, ""), ScriptedService.NONE, new Answer(200, EXITED))) {
      assertEquals(0, Runs.end(backend(service.url(), "k"), Runs.of("true")).status());
    }
  }

  @Test
  void lasting_trouble_is_an_error_that_may_pass() throws Exception {
    try (var service =
        new ScriptedService(new Answer(500, ""), new Answer(500, ""), new Answer(503, ""))) {
      var failure = failure(service.url(), "k");
      assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
      assertEquals(503, failure.httpStatus());
      assertTrue(failure.isRetryable());
    }
  }

  @Test
  void a_service_that_is_not_there_is_an_error_that_may_pass() throws Exception {
    var failure = failure("http://127.0.0.1:" + freePort(), "k");
    assertEquals(SpriteError.SPRITE_EXEC_HTTP_ERROR, failure.error());
    assertEquals(null, failure.httpStatus());
    assertTrue(failure.isRetryable());
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'state':'failed','error':'create','message':'no room'};SPRITE_CREATE_FAILED;true;no room",
        "{'state':'failed','error':'create','message':'m','retryable':false};SPRITE_CREATE_FAILED;false;m",
        "{'state':'failed','error':'execution','message':'lost'};SPRITE_EXECUTION_FAILED;true;lost",
        "{'state':'failed','message':'m','stdout':'o','stderr':'e'};SPRITE_EXECUTION_FAILED;true;'m\ne'",
        "{'state':'odd'};SPRITE_EXECUTION_FAILED;true;''"
      })
  void what_the_service_could_not_run_is_told(
      String state, SpriteError error, boolean retryable, String told) throws Exception {
    try (var service = new ScriptedService(new Answer(200, state.replace('\'', '"')))) {
      var failure = failure(service.url(), "k");
      assertEquals(error, failure.error());
      assertEquals(retryable, failure.isRetryable());
      assertEquals("The backend could not run the command.", failure.getMessage());
      assertEquals(told, failure.output().strip());
      assertEquals(List.of("PUT"), service.requests);
    }
  }

  @Test
  void what_does_not_end_in_its_time_and_half_a_minute_is_given_up_and_stopped() throws Exception {
    var running = new Answer(200, "{\"state\":\"running\"}");
    try (var service = new ScriptedService(running, running)) {
      var inTime = Runs.with(Duration.ofSeconds(1), Runs.of("true"));
      var command =
          assertInstanceOf(SpriteCommand.class, backend(service.url(), "k").begin(inTime));
      assertSame(command, command.poll());
    }
    try (var service = new ScriptedService(running, running, new Answer(204, ""))) {
      var late = Runs.with(Duration.ofSeconds(-31), Runs.of("true"));
      var failure =
          assertThrows(SpriteException.class, () -> Runs.end(backend(service.url(), "k"), late));
      assertEquals(SpriteError.SPRITE_EXECUTION_FAILED, failure.error());
      assertTrue(failure.isRetryable());
      assertFalse(failure.isBackendFailure());
      assertEquals(List.of("PUT", "GET", "DELETE"), service.requests);
    }
  }

  @Test
  void the_end_of_the_service_stops_the_run() throws Exception {
    try (var service = new ReferenceService()) {
      var run = Runs.with(Duration.ofMinutes(5), Runs.of("sleep 300"));
      var failure = new CompletableFuture<Exception>();
      var thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Runs.end(backend(service.url(), ReferenceService.KEY), run);
                      failure.complete(null);
                    } catch (Exception e) {
                      failure.complete(e);
                    }
                  });
      Eventually.await("the run is looked at", () -> service.requests.contains("GET " + run.id()));
      thread.interrupt();
      assertEquals(InterruptedException.class, failure.get(30, TimeUnit.SECONDS).getClass());
      assertEquals("DELETE " + run.id(), service.requests.getLast());
    }
  }
}

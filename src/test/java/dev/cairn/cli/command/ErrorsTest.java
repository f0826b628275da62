package dev.cairn.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorsTest {
  @TempDir private Path home;
  private final FakeServer server = FakeServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private CliRun cairn() {
    return CliRun.in(home).with("CAIRN_SERVER", server.url());
  }

  @ParameterizedTest
  @CsvSource({
    "400, 7", "401, 3", "403, 4", "404, 5", "405, 7", "409, 6", "410, 5", "412, 6", "413, 7",
    "415, 7", "422, 7", "429, 8", "500, 1", "502, 1", "503, 8"
  })
  void each_status_of_an_error_has_its_exit_code(int status, int code) {
    assertEquals(code, ExitCode.ofStatus(status).code());
  }

  @Test
  void an_error_of_the_service_has_its_sentence_the_fields_and_the_hint() {
    server.answer(
        "GET /api/whoami",
        400,
        """
        {"type":"t","title":"t","status":400,"code":"VALIDATION_ERROR","detail":"Two are wrong.",
         "errors":[{"pointer":"/a","detail":"too long"},{"pointer":"","detail":"and 1 more"}],
         "hint":"Shorten it."}\
        """,
        Map.of("Content-Type", "application/problem+json"));
    var result = cairn().run("whoami");
    assertEquals(ExitCode.INVALID.code(), result.code());
    assertEquals(
        "cairn: Two are wrong.\n  /a: too long\n  and 1 more\n  Shorten it.\n", result.err());
    assertEquals("", result.out());
  }

  @Test
  void a_field_whose_error_is_the_sentence_is_only_named() {
    server.answer(
        "GET /api/whoami",
        400,
        """
        {"type":"t","title":"t","status":400,"code":"VALIDATION_ERROR","detail":"It is too long.",
         "errors":[{"pointer":"/a","detail":"It is too long."}]}\
        """,
        Map.of("Content-Type", "application/problem+json"));
    assertEquals("cairn: It is too long.\n  at /a\n", cairn().run("whoami").err());
  }

  @Test
  void a_refused_token_leads_to_a_sign_in_or_to_the_variable() {
    server.problem("GET /api/whoami", 401, "UNAUTHENTICATED", "The token has expired.");
    var result = cairn().run("whoami");
    assertEquals(ExitCode.UNAUTHENTICATED.code(), result.code());
    assertEquals("cairn: The token has expired.\nTry: cairn login\n", result.err());
    assertTrue(
        cairn()
            .with("CAIRN_TOKEN", "x")
            .run("whoami")
            .err()
            .endsWith("Try: unset CAIRN_TOKEN, or set it to a token that is valid\n"));
  }

  @Test
  void an_exhausted_limit_says_when_to_try_again() {
    server.answer(
        "GET /api/whoami",
        429,
        "{\"status\":429,\"code\":\"RATE_LIMITED\",\"detail\":\"Too many requests.\"}",
        Map.of("Content-Type", "application/problem+json", "Retry-After", "90"));
    var result = cairn().run("whoami");
    assertEquals(ExitCode.UNAVAILABLE.code(), result.code());
    assertEquals("cairn: Too many requests.\n  It can be tried again in 1 min.\n", result.err());
  }

  @Test
  void a_server_that_is_not_there_has_an_exit_code_of_its_own() {
    server.close();
    var result = cairn().run("whoami");
    assertEquals(ExitCode.UNREACHABLE.code(), result.code());
    assertEquals(
        "cairn: No answer from %s: there is no connection.\nTry: cairn doctor\n"
            .formatted(server.url()),
        result.err());
  }

  @Test
  void errors_of_files_name_the_file() {
    var context = cairn().context();
    var missing = Errors.report(new NoSuchFileException("x.json"), context);
    assertEquals("There is no file x.json.", missing.sentence());
    var denied = Errors.report(new AccessDeniedException("x.json"), context);
    assertEquals("The file x.json cannot be accessed.", denied.sentence());
    assertEquals(ExitCode.FAILED, denied.exitCode());
  }

  @Test
  void an_interrupted_command_ends_with_130_and_no_message() {
    var report = Errors.report(new InterruptedException(), cairn().context());
    assertEquals(130, report.exitCode().code());
    assertEquals(null, report.sentence());
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3cr3t\rx", "s3cr3t\u0416", "s3cr3t x", "s3cr3t\0"})
  void a_token_that_cannot_be_sent_is_refused_without_being_shown(String token) {
    var result = cairn().with("CAIRN_TOKEN", token).run("whoami");
    assertEquals(ExitCode.UNAUTHENTICATED.code(), result.code());
    assertEquals(
        "cairn: $CAIRN_TOKEN is not valid: a token consists of visible ASCII characters, without"
            + " spaces and line breaks.\n"
            + "Try: unset CAIRN_TOKEN, or set it to a token that is valid\n",
        result.err());
    assertEquals(List.of(), server.requests());
  }

  @Test
  void the_message_of_a_fault_is_not_shown_because_it_could_have_a_token() {
    var fault = new IllegalArgumentException("invalid header value: \"Bearer s3cr3t\"");
    var report = Errors.report(fault, cairn().context());
    assertEquals(ExitCode.FAILED, report.exitCode());
    assertEquals("This is a fault of cairn: java.lang.IllegalArgumentException", report.sentence());
    assertTrue(report.more().getFirst().startsWith("at "), report.more()::toString);
    assertFalse(report.toString().contains("s3cr3t"), report::toString);
  }
}

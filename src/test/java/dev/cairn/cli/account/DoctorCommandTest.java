package dev.cairn.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorCommandTest {
  @TempDir private Path home;
  private final FakeServer server = FakeServer.start();

  @BeforeEach
  void start() {
    server
        .answer(
            "GET /q/openapi?format=json", 200, "{\"info\":{\"title\":\"C\",\"version\":\"1.2.3\"}}")
        .answer(
            "GET /api/repos/demo/world",
            200,
            """
            {"orgName":"demo","name":"world","visibility":"public","repoSeq":7,"createdAt":1,"updatedAt":1}\
            """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CliRun cairn() {
    return CliRun.in(home).with("CAIRN_SERVER", server.url()).with("CAIRN_REPO", "demo/world");
  }

  private void whoami(String kind, String more) {
    server.answer(
        "GET /api/whoami",
        200,
        """
        {"authenticated":%s,"kind":"%s",%s"orgs":[]}\
        """
            .formatted(!kind.equals("anonymous"), kind, more));
  }

  private void config(String text, String permissions) throws Exception {
    var file = Files.createDirectories(home.resolve(".config/cairn")).resolve("config.json");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void all_is_in_order() {
    whoami(
        "pat",
        """
        "account":{"email":"g@example.org","displayName":"G"},
        "token":{"name":"t","expiresAt":%d},\
        """
            .formatted(CliRun.NOW.plus(Duration.ofDays(30)).toEpochMilli()));
    var result = cairn().with("CAIRN_TOKEN", "x").run("doctor");
    assertEquals("", result.err());
    assertEquals(0, result.code());
    assertEquals(
        """
        ok       profiles: none yet, in %s/.config/cairn/config.json
        ok       server: %s answers in _ ms; its API is 1.2.3
        ok       clock: not compared: that needs a sign-in by browser
        ok       token: 't' of g@example.org, until 2026-12-29 12:00:00 +00:00 (in 30 days), from $CAIRN_TOKEN
        ok       repository: demo/world can be read; it is public, at commit 7
        """
            .formatted(home, server.url()),
        result.out().replaceAll("in \\d+ ms", "in _ ms"));
  }

  @Test
  void a_file_that_others_can_read_stops_the_rest() throws Exception {
    config("{}", "rw-r--r--");
    var result = cairn().run("doctor");
    assertEquals(1, result.code());
    assertTrue(result.out().startsWith("failed   profiles: "), result.out());
    assertTrue(result.out().contains("\n         Try: chmod 600 "), result.out());
    assertEquals(2, result.out().lines().count());
  }

  @Test
  void a_server_that_is_not_there_is_a_fault() {
    server.close();
    var result = cairn().run("doctor");
    assertEquals(1, result.code());
    assertTrue(result.out().contains("failed   server: No answer from"), result.out());
  }

  @Test
  void without_a_token_and_a_repository_the_next_commands_are_named() {
    whoami("anonymous", "");
    var result = CliRun.in(home).with("CAIRN_SERVER", server.url()).run("doctor");
    assertEquals(0, result.code());
    assertTrue(result.out().contains("warning  token: none"), result.out());
    assertTrue(result.out().contains("Try: cairn login\n"), result.out());
    assertTrue(result.out().contains("warning  repository: none was chosen\n"), result.out());
    assertTrue(result.out().endsWith("Try: cairn use <org/repo>\n"), result.out());
  }

  @Test
  void a_token_that_is_refused_is_a_fault() {
    server.problem("GET /api/whoami", 401, "UNAUTHENTICATED", "The token is not valid.");
    var result = cairn().with("CAIRN_TOKEN", "x").run("doctor", "--json");
    assertEquals(1, result.code());
    assertTrue(result.out().contains("\"ok\": false"), result.out());
    assertTrue(result.out().contains("\"finding\": \"The token is not valid.\""), result.out());
  }

  @ParameterizedTest
  @CsvSource({"2, warning", "3, ok", "-1, warning"})
  void a_token_that_expires_soon_is_a_warning(int days, String status) {
    whoami(
        "pat",
        "\"token\":{\"name\":\"t\",\"expiresAt\":%d},"
            .formatted(CliRun.NOW.plus(Duration.ofDays(days)).toEpochMilli()));
    var result = cairn().with("CAIRN_TOKEN", "x").run("doctor");
    assertTrue(result.out().contains("%-8s token: 't'".formatted(status)), result.out());
  }

  @ParameterizedTest
  @CsvSource({"60, ok", "61, warning", "-60, ok", "-61, warning"})
  void clocks_that_differ_by_more_than_a_minute_are_a_warning(int seconds, String status)
      throws Exception {
    long expiry = CliRun.NOW.plus(Duration.ofDays(3650)).getEpochSecond();
    var claims = "{\"exp\":%d}".formatted(expiry);
    var token =
        "e30."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims.getBytes(StandardCharsets.UTF_8))
            + ".x";
    config(
        """
        {"profiles":{"default":{"server":"%s","signIn":{"accessToken":"%s","refreshToken":"r",
         "expiresAt":%d,"grant":true}}}}\
        """
            .formatted(server.url(), token, (expiry + seconds) * 1000),
        "rw-------");
    whoami("jwt", "\"account\":{\"email\":\"g@example.org\",\"displayName\":\"G\"},");
    var result = cairn().run("doctor");
    assertTrue(result.out().contains("%-8s clock: ".formatted(status)), result.out());
    assertTrue(result.out().contains("a sign-in of g@example.org, which renews itself\n"));
  }
}

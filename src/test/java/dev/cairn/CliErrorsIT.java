package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.database.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each kind of bad input and each failure of the packaged CLI: its exit code, one sentence, and the
 * command to try next. {@code docs/cli.md}, Errors and exit codes.
 */
class CliErrorsIT {
  @TempDir static Path directory;
  private static EmbeddedDatabase.Running database;
  private static Replica replica;

  @TempDir Path home;
  private Cli cairn;

  @BeforeAll
  static void begin() throws Exception {
    database = Databases.create();
    replica = Replica.start(database, directory.resolve("log"), Map.of());
  }

  @AfterAll
  static void end() throws Exception {
    if (replica != null) {
      replica.kill();
    }
    database.close();
  }

  @BeforeEach
  void user() {
    cairn = new Cli(home, replica.url(""));
  }

  /** Checks how a command fails: nothing is on the standard output. */
  private static void assertFails(int code, String message, Cli.Result result) {
    assertEquals(code, result.code(), result.err());
    assertEquals(message, result.err());
    assertEquals("", result.out());
  }

  @Test
  void a_wrong_command_line_ends_with_2() throws Exception {
    assertFails(
        2,
        "cairn: There is no command 'whoim'. Did you mean 'whoami'?\nTry: cairn help\n",
        cairn.run("whoim"));
    assertFails(
        2,
        """
        cairn: 'cairn whoami' has no option '--jsn'. Did you mean '--json'?
        Try: cairn whoami --help
        """,
        cairn.run("whoami", "--jsn"));
    assertFails(
        2,
        """
        cairn: 'demo' is not a repository: expected org/repo, such as demo/world, in lower case.
        Try: cairn repo list
        """,
        cairn.run("use", "demo"));
  }

  @Test
  void a_server_that_is_not_there_ends_with_9() throws Exception {
    var server = "http://localhost:" + FreePort.next();
    assertFails(
        9,
        "cairn: No answer from %s: there is no connection.\nTry: cairn doctor\n".formatted(server),
        cairn.run("whoami", "--server", server));
  }

  @Test
  void an_expired_token_and_a_wrong_one_end_with_3() throws Exception {
    String token = token(Map.of("name", "expired"));
    try (var connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        var statement = connection.createStatement()) {
      assertEquals(
          1,
          statement.executeUpdate(
              "update personal_access_token set expires_at = now() - interval '1 minute'"
                  + " where name = 'expired'"));
    }
    var expected =
        """
        cairn: The token is not valid: expired, revoked, ended or wrong.
        Try: unset CAIRN_TOKEN, or set it to a token that is valid
        """;
    assertFails(3, expected, cairn.with("CAIRN_TOKEN", token).run("whoami"));
    var wrong = cairn.run("cairn_pat_wrong\n", List.of("login", "--token-stdin"));
    assertEquals(3, wrong.code());
    assertTrue(wrong.err().endsWith("Try: cairn login\n"), wrong.err());
  }

  private static String token(Map<String, Object> request) {
    return replica
        .as(replica.signIn())
        .body(request)
        .post("/api/pats")
        .then()
        .statusCode(201)
        .extract()
        .path("token");
  }

  @Test
  void a_token_without_the_permission_ends_with_4() throws Exception {
    var reader =
        Map.of("name", "reader", "scopes", List.of(Map.of("permissions", List.of("repo:read"))));
    assertFails(
        4,
        """
        cairn: A token that is narrowed by scopes may not do this.
          Use a token without scopes.
        Try: cairn whoami
        """,
        cairn.with("CAIRN_TOKEN", token(reader)).run("org", "create", "garden"));
  }

  @Test
  void an_input_file_that_is_missing_or_damaged_is_named() throws Exception {
    var here = cairn.with("CAIRN_REPO", "demo/world");
    var missing = home.resolve("missing.ndjson");
    var damaged = Files.writeString(home.resolve("damaged.ndjson"), "{\"operation\":\n");
    var cut = Files.write(home.resolve("cut.csv.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
    var runs =
        List.of(
            here.start("commit", "submit", missing.toString()),
            here.start("import", missing.toString()),
            here.start("commit", "submit", damaged.toString()),
            here.start("import", cut.toString()));
    assertFails(1, "cairn: There is no file %s.\n".formatted(missing), runs.get(0).await());
    assertFails(1, "cairn: There is no file %s.\n".formatted(missing), runs.get(1).await());
    assertFails(
        7,
        "cairn: %s is not JSON: see line 2, column 1.\n".formatted(damaged),
        runs.get(2).await());
    assertFails(
        1, "cairn: %s cannot be read: it ends too early\n".formatted(cut), runs.get(3).await());
  }

  @Test
  void what_is_not_there_ends_with_5() throws Exception {
    assertFails(
        5,
        "cairn: There is no repository `demo/none`, or you may not see it.\n",
        cairn.run("use", "demo/none"));
  }

  @Test
  void a_file_of_profiles_that_others_can_read_is_refused() throws Exception {
    Files.createDirectories(cairn.profiles().getParent());
    Files.writeString(cairn.profiles(), "{}");
    Files.setPosixFilePermissions(cairn.profiles(), PosixFilePermissions.fromString("rw-r--r--"));
    assertFails(
        1,
        "cairn: %1$s has tokens, but others than its owner can read or change it (rw-r--r--).\nTry: chmod 600 %1$s\n"
            .formatted(cairn.profiles()),
        cairn.run("whoami"));
  }

  @Test
  void ctrl_c_ends_with_130_and_no_stack_trace() throws Exception {
    var login = cairn.start("login", "--no-browser");
    Eventually.await(
        Duration.ofSeconds(30),
        "it waits",
        () -> Files.readString(login.err()).contains("Confirm it"));
    new ProcessBuilder("kill", "-INT", Long.toString(login.process().pid())).start().waitFor();
    var result = login.await();
    assertEquals(130, result.code());
    assertEquals(2, result.err().lines().count(), result.err());
  }

  @Test
  void a_reader_that_ends_first_is_no_error() throws Exception {
    var script = "{ sleep 0.2; %s help; } | true; echo ${PIPESTATUS[0]}".formatted(Cli.command());
    var result = cairn.start("", List.of("bash", "-c", script)).await();
    assertEquals("141\n", result.out());
    assertEquals("", result.err());
  }
}

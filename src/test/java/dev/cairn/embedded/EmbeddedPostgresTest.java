package dev.cairn.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.database.EmbeddedDatabase;
import dev.cairn.platform.database.EmbeddedDatabase.Running;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One directory for all: its first start is the slow one. */
class EmbeddedPostgresTest {
  private static final String INVALID_PASSWORD = "28P01";
  private static final String UNREACHABLE = "08001";

  @TempDir static Path temporary;

  private static Path directory;

  /** A service that is there to be killed. */
  static final class Victim {
    private Victim() {}

    public static void main(String[] arguments) throws InterruptedException {
      var running = new EmbeddedPostgres().start(Path.of(arguments[0]), true);
      System.out.println(running.jdbcUrl());
      Thread.sleep(Duration.ofMinutes(5));
    }
  }

  @BeforeAll
  static void start_for_the_first_time() throws SQLException {
    directory = temporary.resolve("data of mine");
    try (var running = start()) {
      assertEquals("", value(running, "CREATE TABLE kept AS SELECT 'Grüße' AS word"));
    }
  }

  @Test
  void it_is_found_as_a_service() {
    var found = ServiceLoader.load(EmbeddedDatabase.class).findFirst().orElseThrow();
    assertEquals(EmbeddedPostgres.class, found.getClass());
  }

  @Test
  void the_database_is_utf8_sorted_by_code_point_and_not_of_a_superuser() throws SQLException {
    try (var running = start()) {
      assertEquals("UTF8", value(running, "SHOW server_encoding"));
      assertEquals("Zz", value(running, "SELECT min(w) FROM (VALUES ('ab'), ('Zz')) t(w)"));
      assertEquals("ÄÖ", value(running, "SELECT upper('äö')"));
      assertEquals("off", value(running, "SHOW is_superuser"));
      assertEquals(
          "cairn",
          value(running, "SELECT datdba::regrole FROM pg_database WHERE datname = 'cairn'"));
      assertEquals("", value(running, "CREATE EXTENSION IF NOT EXISTS pg_trgm"));
    }
  }

  @Test
  void a_commit_survives_a_crash_only_where_that_is_asked_for() throws SQLException {
    try (var running = new EmbeddedPostgres().start(directory, true)) {
      assertEquals("on", value(running, "SHOW fsync"));
      assertEquals("on", value(running, "SHOW synchronous_commit"));
      assertEquals("on", value(running, "SHOW full_page_writes"));
    }
    try (var running = new EmbeddedPostgres().start(directory, false)) {
      assertEquals("off", value(running, "SHOW fsync"));
      assertEquals("off", value(running, "SHOW synchronous_commit"));
    }
  }

  @Test
  void data_address_and_password_are_kept_over_a_restart() throws SQLException {
    var before = start();
    before.close();
    try (var running = start()) {
      assertEquals("Grüße", value(running, "SELECT word FROM kept"));
      assertEquals(before.jdbcUrl(), running.jdbcUrl());
      assertEquals(before.password(), running.password());
    }
  }

  @Test
  void only_the_owner_can_read_the_directory() throws IOException {
    assertEquals("rwx------", mode("."));
    assertEquals("rwx------", mode("bin"));
    assertEquals("rwx------", mode("postgres"));
    assertEquals("rw-------", mode("postgres.password"));
    assertEquals("rw-------", mode("superuser.password"));
    assertEquals("rw-------", mode("postgres.log"));
  }

  @Test
  void a_wrong_password_is_refused() {
    try (var running = start()) {
      var refused =
          assertThrows(
              SQLException.class,
              () -> DriverManager.getConnection(running.jdbcUrl(), running.user(), "guessed"));
      assertEquals(INVALID_PASSWORD, refused.getSQLState());
    }
  }

  @Test
  void there_is_no_connection_but_by_the_loopback_address() throws Exception {
    try (var running = start()) {
      assertTrue(running.jdbcUrl().startsWith("jdbc:postgresql://127.0.0.1:"));
      assertEquals("127.0.0.1", value(running, "SHOW listen_addresses"));
      var settings = Files.readString(directory.resolve("postgres/postgresql.conf"));
      assertTrue(settings.contains("unix_socket_directories = ''"));
    }
  }

  @Test
  void a_second_service_on_the_directory_is_refused_at_once() {
    try (var running = start()) {
      assertTrue(running.jdbcUrl().contains("/cairn?"));
      assertRefusedBecauseOf(ProcessHandle.current());
    }
  }

  @Test
  void a_killed_service_does_not_hinder_the_next_one() throws Exception {
    var victim = startVictim();
    assertRefusedBecauseOf(victim.toHandle());
    var server = server();
    victim.destroyForcibly().waitFor();
    assertTrue(server.isAlive());
    try (var running = start()) {
      assertEquals("Grüße", value(running, "SELECT word FROM kept"));
      assertNotEquals(server, server());
    }
  }

  @Test
  void a_pid_file_of_a_stranger_is_no_obstacle_and_the_stranger_lives_on() throws Exception {
    var stranger = new ProcessBuilder("sleep", "300").start();
    try {
      Files.writeString(directory.resolve("postgres/postmaster.pid"), stranger.pid() + "\n");
      try (var running = start()) {
        assertEquals("Grüße", value(running, "SELECT word FROM kept"));
      }
      assertTrue(stranger.isAlive());
    } finally {
      stranger.destroy();
    }
  }

  @Test
  void closing_ends_the_server_even_when_done_twice() throws IOException {
    var running = start();
    running.close();
    running.close();
    var refused = assertThrows(SQLException.class, () -> connect(running));
    assertEquals(UNREACHABLE, refused.getSQLState());
    assertEquals("", Files.readString(directory.resolve("lock")));
  }

  @Test
  void a_listener_for_failures_is_told_of_a_crash() throws Exception {
    try (var running = start()) {
      var failed = new CountDownLatch(1);
      running.onFailure(failed::countDown);
      server().destroyForcibly();
      assertTrue(failed.await(20, TimeUnit.SECONDS));
    }
    try (var running = start()) {
      assertEquals("Grüße", value(running, "SELECT word FROM kept"));
    }
  }

  @Test
  void a_stop_is_no_failure() throws Exception {
    var running = start();
    var failed = new CountDownLatch(1);
    running.onFailure(failed::countDown);
    var server = server();
    running.close();
    server.onExit().get(20, TimeUnit.SECONDS);
    assertFalse(failed.await(1, TimeUnit.SECONDS));
  }

  @Test
  void the_superuser_has_another_password() throws IOException {
    try (var running = start()) {
      var refused =
          assertThrows(
              SQLException.class,
              () -> DriverManager.getConnection(running.jdbcUrl(), "postgres", running.password()));
      assertEquals(INVALID_PASSWORD, refused.getSQLState());
      assertNotEquals(
          running.password(), Files.readString(directory.resolve("superuser.password")).strip());
    }
  }

  @Test
  void a_deleted_password_is_replaced() throws Exception {
    Files.delete(directory.resolve("postgres.password"));
    try (var running = start()) {
      assertEquals("Grüße", value(running, "SELECT word FROM kept"));
    }
  }

  @Test
  void a_password_file_that_does_not_fit_is_named() throws IOException {
    var file = directory.resolve("superuser.password");
    var password = Files.readString(file);
    Files.writeString(file, "another");
    try {
      var refused = assertThrows(IllegalStateException.class, EmbeddedPostgresTest::start);
      assertTrue(refused.getMessage().contains(file.getFileName().toString()));
    } finally {
      Files.writeString(file, password);
    }
    start().close();
  }

  private static Running start() {
    return new EmbeddedPostgres().start(directory, false);
  }

  private static Process startVictim() throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var victim =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var output = new BufferedReader(new InputStreamReader(victim.getInputStream(), UTF_8));
    for (var line = ""; !line.startsWith("jdbc:"); ) {
      line = output.readLine();
      assertTrue(line != null, "the service ended before it had started");
    }
    return victim;
  }

  private static void assertRefusedBecauseOf(ProcessHandle holder) {
    var refused = assertThrows(IllegalStateException.class, EmbeddedPostgresTest::start);
    assertTrue(refused.getMessage().contains(directory.getFileName().toString()));
    assertTrue(refused.getMessage().contains("process " + holder.pid() + ":"));
    assertTrue(refused.getMessage().contains("CAIRN_DATA_DIR"));
  }

  private static ProcessHandle server() throws IOException {
    var pidFile = directory.resolve("postgres/postmaster.pid");
    return ProcessHandle.of(Long.parseLong(Files.readAllLines(pidFile).getFirst())).orElseThrow();
  }

  private static String mode(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
  }

  /** The first value of the result, or nothing where there is none. */
  private static String value(Running running, String sql) throws SQLException {
    try (var connection = connect(running);
        var statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      var rows = statement.getResultSet();
      return rows.next() ? rows.getString(1) : "";
    }
  }

  private static Connection connect(Running running) throws SQLException {
    return DriverManager.getConnection(running.jdbcUrl(), running.user(), running.password());
  }
}

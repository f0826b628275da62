package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.action.Receiver;
import dev.cairn.embedded.EmbeddedPostgres;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is backed up and restored goes on as the same service: {@code docs/backup.md}. The dump
 * needs a {@code pg_dump} on the path that is at least as new as the server. For an older one,
 * {@code -Dbackup.from} and {@code -Dbackup.into} are the JDBC URLs of two empty databases of the
 * user {@code backup.user} on a server of its version.
 */
class BackupIT {
  private static final String REPOSITORY = "/api/repos/backup/repo";
  private static final int BEFORE = 30;

  @TempDir static Path directory;

  /** A database that is there already. */
  private record External(String jdbcUrl) implements EmbeddedDatabase.Running {
    @Override
    public void onFailure(Runnable action) {}

    @Override
    public String user() {
      return System.getProperty("backup.user", "cairn");
    }

    @Override
    public String password() {
      return System.getProperty("backup.password", "none");
    }

    @Override
    public void close() {}
  }

  /** What is known of the service before its end: names with hashes, and a token. */
  private record Known(Map<String, String> hashes, String pat) {}

  @Test
  void a_dump_that_is_made_under_load_restores_whatever_was_acknowledged_before_it()
      throws Exception {
    try (var from = database("backup.from");
        var into = database("backup.into");
        var receiver = new Receiver()) {
      var dump = directory.resolve("cairn.dump").toString();
      assumeTrue(dumps(from), "no pg_dump that is at least as new as the server");
      Known known;
      var replica = start(from);
      try (var load = new Load(replica)) {
        receiver.answering(500);
        known = fill(load, receiver);
        load.client(round -> add(load, "meanwhile-" + round));
        run(from, "pg_dump", "--format=custom", "--file=" + dump, "--dbname=" + uri(from));
        load.end();
        assertEquals(List.of(), load.failures());
      } finally {
        replica.kill();
      }
      run(into, "pg_restore", "--no-owner", "--exit-on-error", "--dbname=" + uri(into), dump);
      check(into, known, receiver);
    }
  }

  @Test
  void a_copy_of_the_data_directory_of_a_stopped_service_restores_all_of_it() throws Exception {
    var home = directory.resolve("data");
    var copy = directory.resolve("copy");
    try (var receiver = new Receiver()) {
      receiver.answering(500);
      TestDatabase.linkPrograms(home);
      Known known;
      try (var database = new EmbeddedPostgres().start(home, true)) {
        var replica = start(database);
        try (var load = new Load(replica)) {
          known = fill(load, receiver);
        } finally {
          assertTrue(replica.stop(), "it does not stop");
        }
      }
      assertEquals(0, new ProcessBuilder("cp", "-a", "" + home, "" + copy).start().waitFor());
      try (var database = new EmbeddedPostgres().start(copy, true)) {
        check(database, known, receiver);
      }
    }
  }

  private static EmbeddedDatabase.Running database(String property) throws IOException {
    var url = System.getProperty(property);
    return url == null ? Databases.create() : new External(url);
  }

  private static Replica start(EmbeddedDatabase.Running database) throws Exception {
    return Replica.start(
        database,
        directory.resolve("replica.log"),
        Map.of(
            "CAIRN_DATABASE_POOL_SIZE", "10",
            "CAIRN_EGRESS_ALLOW", "127.0.0.1",
            "CAIRN_RETRY_DELAYS", "PT0S,PT0.5S",
            "CAIRN_RETRY_MAX_ATTEMPTS", "100"));
  }

  private static boolean dumps(EmbeddedDatabase.Running database) throws Exception {
    try (var connection =
        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
      var version = run(database, "pg_dump", "--version").replaceFirst("\\D+", "");
      return Integer.parseInt(version.replaceFirst("\\D[\\s\\S]*", ""))
          >= connection.getMetaData().getDatabaseMajorVersion();
    } catch (IOException e) {
      return false;
    }
  }

  private static String uri(EmbeddedDatabase.Running database) {
    return database.jdbcUrl().substring("jdbc:".length());
  }

  private static String run(EmbeddedDatabase.Running database, String... command) throws Exception {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PGUSER", database.user());
    builder.environment().put("PGPASSWORD", database.password());
    var process = builder.start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  /** A repository whose runs all wait, since the receiver fails. */
  private static Known fill(Load load, Receiver receiver) throws Exception {
    load.token(signIn(load));
    load.post("setup", "/api/orgs", "{\"name\":\"backup\"}", Map.of());
    load.post("setup", "/api/orgs/backup/repos", "{\"name\":\"repo\"}", Map.of());
    commit(load, "{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"n\":\"number\"}}}");
    load.post(
        "setup",
        REPOSITORY + "/subs",
        """
        {"name":"hook","kind":"webhook","shapeName":"S","filterJson":{},"webhookUrl":"%s"}
        """
            .formatted(receiver.url("/")),
        Map.of());
    var hashes = new TreeMap<String, String>();
    for (int i = 0; i < BEFORE; i++) {
      hashes.put("S/before-" + i, add(load, "before-" + i));
    }
    var pat = load.post("setup", "/api/pats", "{\"name\":\"kept\"}", Map.of());
    return new Known(hashes, pat.get("token").asText());
  }

  private static String signIn(Load load) throws Exception {
    var body =
        "{\"email\":\"%s\",\"password\":\"%s\"}"
            .formatted(TestDatabase.ADMIN_EMAIL, TestDatabase.ADMIN_PASSWORD);
    return load.post("sign-in", "/api/auth/login", body, Map.of()).get("accessToken").asText();
  }

  private static JsonNode commit(Load load, String operation) throws Exception {
    var body = "{\"operations\":[" + operation + "]}";
    return load.post("commit", REPOSITORY + "/commits", body, Map.of());
  }

  /** Adds a thing; answers its hash. */
  private static String add(Load load, String name) throws Exception {
    return commit(
            load,
            "{\"operation\":\"add\",\"name\":\"S/%s\",\"data\":{\"n\":%d}}"
                .formatted(name, name.hashCode()))
        .at("/operations/0/dataHash")
        .asText();
  }

  private static void check(EmbeddedDatabase.Running database, Known known, Receiver receiver)
      throws Exception {
    var taken = ConcurrentHashMap.<String>newKeySet();
    receiver.answering(
        call -> {
          taken.add(call.json().at("/data/matchedOperations/0/wref").asText());
          return Receiver.status(200);
        });
    var replica = start(database);
    try (var load = new Load(replica)) {
      load.token(known.pat());
      var verification = load.get("verification", REPOSITORY + "/verification");
      assertTrue(verification.get("verified").booleanValue(), verification::toString);
      var found = new TreeMap<String, String>();
      for (var wref : known.hashes().keySet()) {
        var thing = load.get("thing", REPOSITORY + "/things/" + wref);
        found.put(wref, thing.get("dataHash").asText());
      }
      assertEquals(known.hashes(), found);
      load.token(signIn(load));
      add(load, "afterwards");
      awaitEnd(load);
      assertTrue(taken.containsAll(known.hashes().keySet()), taken::toString);
      assertTrue(taken.contains("S/afterwards"), taken::toString);
    } finally {
      replica.kill();
    }
  }

  private static void awaitEnd(Load load) throws Exception {
    Eventually.await(
        Duration.ofMinutes(2),
        "all runs have ended",
        () -> {
          int left = 0;
          for (var status : List.of("pending", "running", "retry_wait")) {
            left += load.get("runs", REPOSITORY + "/actions/runs?status=" + status).size();
          }
          return left == 0;
        });
  }
}

package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.action.Receiver;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.net.URI;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An older version and this one beside each other on one database, under load: see {@code
 * docs/deploy.md}, Upgrades. {@code src/test/operation/upgrade.sh} builds the older one and says
 * where it is ({@code -Dupgrade.from}); without it there is nothing to upgrade from.
 */
class UpgradeIT {
  private static final Logger LOG = Logger.getLogger(UpgradeIT.class);
  private static final String FROM = System.getProperty("upgrade.from", "");
  private static final long SECONDS = Long.getLong("upgrade.seconds", 10);

  /** How much there is before the upgrade: what a migration has to go through. */
  private static final int THINGS = Integer.getInteger("upgrade.things", 20_000);

  private static final int AT_ONCE = 5_000;
  private static final String REPOSITORY = "/api/repos/upgrade/repo";

  @TempDir static Path directory;

  private final Set<String> commits = ConcurrentHashMap.newKeySet();
  private EmbeddedDatabase.Running database;

  @Test
  void an_upgrade_under_load_and_the_way_back_lose_no_run_and_fail_no_request() throws Exception {
    assumeTrue(!FROM.isEmpty(), "no older version to upgrade from: src/test/operation/upgrade.sh");
    database = Databases.create();
    var older = start(Artifact.service(Path.of(FROM)), "older");
    Replica newer = null;
    try (var receiver = new Receiver();
        var load = new Load(older);
        var callbacks = Executors.newVirtualThreadPerTaskExecutor()) {
      receiver.answering(
          call -> {
            if (!call.path().equals("/later")) {
              return Receiver.status(200);
            }
            var url = URI.create(call.json().at("/data/callbackUrl").asText());
            callbacks.execute(() -> callBack(load, url));
            return Receiver.status(202);
          });
      fill(load, receiver);
      begin(load);
      phase(load, "older alone");
      newer = startAgain(Artifact.service(), "newer");
      report(load, "older while newer starts and migrates");
      load.to(older, newer);
      phase(load, "both");
      load.to(newer);
      assertTrue(older.stop(), "the older one does not stop");
      phase(load, "newer alone");
      older = start(Artifact.service(Path.of(FROM)), "older");
      load.to(older, newer);
      phase(load, "both, on the way back");
      load.to(older);
      assertTrue(newer.stop(), "the newer one does not stop");
      phase(load, "older again");
      load.end();
      awaitEnd();
      assertEquals(List.of(), load.failures().stream().limit(20).toList());
      assertEquals(Map.of("succeeded", 2L * commits.size()), statuses());
      assertEquals(
          2L * commits.size(),
          receiver.calls().stream().map(call -> call.header("webhook-id")).distinct().count());
      var verification = load.get("verification", REPOSITORY + "/verification");
      assertTrue(verification.get("verified").booleanValue(), verification::toString);
      assertEquals(commits.size() + 1 + THINGS / AT_ONCE, verification.get("commits").intValue());
    } finally {
      older.kill();
      if (newer != null) {
        newer.kill();
      }
      database.close();
    }
  }

  /** As a supervisor does where a start fails: not at all, unless the test is told so. */
  private Replica startAgain(List<String> command, String name) throws Exception {
    for (int left = Integer.getInteger("upgrade.starts", 1); ; left--) {
      try {
        return start(command, name);
      } catch (AssertionError e) {
        if (left == 1) {
          throw e;
        }
        LOG.warn("a start that failed: " + e.getMessage());
      }
    }
  }

  private Replica start(List<String> command, String name) throws Exception {
    return Replica.start(
        command,
        database,
        directory.resolve(name + ".log"),
        Map.of(
            "CAIRN_DATABASE_POOL_SIZE", "10",
            "CAIRN_EGRESS_ALLOW", "127.0.0.1",
            "CAIRN_RETRY_DELAYS", "PT0S,PT0.2S",
            "CAIRN_LIMITS_SIGN_INS_PER_MINUTE", "0"));
  }

  /** A repository with things of which no subscription hears, and two that hear of others. */
  private static void fill(Load load, Receiver receiver) throws Exception {
    load.token(signIn(load));
    load.post("setup", "/api/orgs", "{\"name\":\"upgrade\"}", Map.of());
    load.post("setup", "/api/orgs/upgrade/repos", "{\"name\":\"repo\"}", Map.of());
    commit(
        load,
        """
        {"operation":"add","name":"Seed","data":{"fields":{"n":"number"}}},
        {"operation":"add","name":"S","data":{"fields":{"n":"number"}}},
        {"operation":"add","name":"S/first","data":{"n":1}}
        """,
        Map.of());
    for (int i = 0; i < THINGS; i += AT_ONCE) {
      commit(
          load,
          IntStream.range(i, i + AT_ONCE)
              .mapToObj(
                  n ->
                      "{\"operation\":\"add\",\"name\":\"Seed/%d\",\"data\":{\"n\":1}}"
                          .formatted(n))
              .collect(Collectors.joining(",")),
          Map.of());
    }
    for (var path : List.of("/done", "/later")) {
      load.post(
          "setup",
          REPOSITORY + "/subs",
          """
          {"name":"%s","kind":"webhook","shapeName":"S","filterJson":{},"webhookUrl":"%s"}
          """
              .formatted(path.substring(1), receiver.url(path)),
          Map.of());
    }
    load.seen();
  }

  private static String signIn(Load load) throws Exception {
    var body =
        "{\"email\":\"%s\",\"password\":\"%s\"}"
            .formatted(TestDatabase.ADMIN_EMAIL, TestDatabase.ADMIN_PASSWORD);
    return load.post("sign-in", "/api/auth/login", body, Map.of()).get("accessToken").asText();
  }

  private static String commit(Load load, String operations, Map<String, String> headers)
      throws Exception {
    var body = "{\"operations\":[" + operations + "]}";
    return load.post("commit", REPOSITORY + "/commits", body, headers).toString();
  }

  private void begin(Load load) {
    for (int client = 0; client < 4; client++) {
      int mine = client;
      load.client(round -> write(load, mine + "-" + round));
    }
    load.client(_ -> load.get("page", REPOSITORY + "/head?shape=Seed&limit=50"));
    load.client(_ -> load.get("thing", REPOSITORY + "/things/S/first"));
    load.client(_ -> load.get("history", REPOSITORY + "/history?shape=S&limit=5"));
    load.client(
        _ -> {
          export(load);
          Thread.sleep(3_000); // a repository keeps 50 at the most
        });
    load.client(
        _ -> {
          load.token(signIn(load));
          load.get("whoami", "/api/whoami");
          Thread.sleep(500);
        });
  }

  /** A commit that both subscriptions hear of, sent twice, and read after its answer. */
  private void write(Load load, String name) throws Exception {
    var add = "{\"operation\":\"add\",\"name\":\"S/%s\",\"data\":{\"n\":2}}".formatted(name);
    var once = Map.of("Idempotency-Key", name);
    var first = commit(load, add, once);
    same(first, commit(load, add, once));
    var known = load.get("read of a commit", REPOSITORY + "/things/S/" + name);
    same("1", known.get("version").asText());
    commits.add(name);
  }

  /** An export, of which each request may meet another version. */
  private static void export(Load load) throws Exception {
    var path = REPOSITORY + "/export";
    var job = load.get("export", path + "?prefer=async").get("exportToken").asText();
    var built =
        Eventually.poll(
            Duration.ofMinutes(1),
            () -> "an export is built",
            () -> load.get("export", path + "?token=" + job),
            state -> state.has("url"));
    var url = URI.create(built.get("url").asText());
    load.get("download", url.getRawPath() + "?" + url.getRawQuery());
  }

  private static void same(String expected, String found) {
    if (!expected.equals(found)) {
      throw new AssertionError(expected + " is not " + found);
    }
  }

  /** What a receiver does that answered 202. */
  private static void callBack(Load load, URI url) {
    load.once(
        _ ->
            load.post(
                Load.CALLBACK,
                url.getRawPath() + "?" + url.getRawQuery(),
                "{\"status\":\"succeeded\"}",
                Map.of()));
  }

  private static void phase(Load load, String name) throws InterruptedException {
    TimeUnit.SECONDS.sleep(SECONDS);
    report(load, name);
  }

  private static void report(Load load, String name) {
    LOG.infof("%s: %s; failures so far: %d", name, load.seen(), load.failures().size());
  }

  private void awaitEnd() throws Exception {
    var ended = Set.of("succeeded", "failed_terminal", "dead_letter");
    Eventually.poll(
        Duration.ofMinutes(2),
        () -> "all runs have ended",
        this::statuses,
        statuses -> ended.containsAll(statuses.keySet()));
  }

  private Map<String, Long> statuses() throws SQLException {
    var statuses = new TreeMap<String, Long>();
    try (var connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select status, count(*) from action_run group by 1")) {
      while (rows.next()) {
        statuses.put(rows.getString(1), rows.getLong(2));
      }
    }
    return statuses;
  }
}

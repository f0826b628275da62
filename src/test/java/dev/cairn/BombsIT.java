package dev.cairn;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.database.EmbeddedDatabase;
import dev.cairn.platform.http.Gzip;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/limits.md, Decompression: what decompressed bodies take, in a replica with a heap of 256
 * MiB, which is a tenth of what the bodies of one flood are together.
 */
class BombsIT {
  private static final int MIB = 1024 * 1024;
  private static final int CLIENTS = 200;
  private static final int BOMBS = 3 * CLIENTS;
  private static final int OF_ONE_REQUEST = 8 * 1024;
  private static final String EMPTY_BLOCK = "\0\0\0\u00ff\u00ff";

  /** For an answer to others, on a machine with two processors that does all of this. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  @TempDir static Path directory;

  private static EmbeddedDatabase.Running database;
  private static Replica replica;

  private int added;
  private Duration slowest = Duration.ZERO;

  @BeforeAll
  static void start() throws Exception {
    database = Databases.create();
    replica =
        Replica.start(
            database, directory.resolve("service.log"), Map.of("CAIRN_SIGNUP_OPEN", "true"));
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (replica != null) {
      replica.stop();
    }
    if (database != null) {
      database.close();
    }
  }

  /** A commit of this number of bytes, nearly all of one text. */
  private static byte[] bomb(String name, int bytes) {
    var json =
        "{'operations':[{'operation':'add','name':'%s','data':{}}],'message':'%s'}"
            .formatted(name, "x".repeat(bytes - 100))
            .replace('\'', '"');
    return Gzip.compress(json.getBytes(UTF_8));
  }

  /** A mebibyte that is read through, and has no content. */
  private static byte[] withoutContent() {
    var whole = new String(Gzip.compress(new byte[0]), ISO_8859_1);
    return (whole.substring(0, 10) + EMPTY_BLOCK.repeat(MIB / 5) + whole.substring(10))
        .getBytes(ISO_8859_1);
  }

  private static int commit(String token, String repository, byte[] body) {
    return replica
        .as(token)
        .header("Content-Encoding", "gzip")
        .body(body)
        .post("/api/repos/" + repository + "/commits")
        .statusCode();
  }

  private static void makeRepository(String token, String org) {
    replica.as(token).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    replica
        .as(token)
        .body(Map.of("name", "repo", "visibility", "public"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
  }

  private static byte[] small(String operation) {
    return Gzip.compress("{\"operations\":[%s]}".formatted(operation).getBytes(UTF_8));
  }

  /** A read without credentials, a read, a commit, and a compressed one, each in time. */
  private void others(String token) {
    var path = "/api/repos/others/repo";
    var operation = "{\"operation\":\"add\",\"name\":\"S/%d\",\"data\":{}}";
    var plain = "{\"operations\":[%s]}".formatted(operation.formatted(++added));
    var compressed = small(operation.formatted(++added));
    assertInTime(200, () -> replica.anonymous().get(path + "/count").statusCode());
    assertInTime(200, () -> replica.as(token).get(path + "/head").statusCode());
    assertInTime(201, () -> replica.as(token).body(plain).post(path + "/commits").statusCode());
    assertInTime(201, () -> commit(token, "others/repo", compressed));
  }

  private void assertInTime(int status, Callable<Integer> request) {
    long start = System.nanoTime();
    try {
      assertEquals(status, request.call());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    var time = Duration.ofNanos(System.nanoTime() - start);
    slowest = slowest.compareTo(time) > 0 ? slowest : time;
  }

  @Test
  void bombs_that_come_at_once_take_no_more_than_their_room_while_others_go_on() throws Exception {
    String token = replica.signIn();
    makeRepository(token, "bombs");
    makeRepository(token, "others");
    var shape =
        "{\"operation\":\"add\",\"kind\":\"shape\",\"name\":\"S\",\"data\":{\"fields\":{}}}";
    assertEquals(201, commit(token, "others/repo", small(shape)));
    String other = editor(token);
    var bombs =
        new byte[][] {
          bomb("S/a", 15 * MIB), bomb("S/b", 8 * MIB), bomb("S/c", 100 * MIB), withoutContent()
        };
    var answers = new TreeMap<Integer, Integer>();
    try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
      var sent = new ArrayList<Future<Integer>>();
      for (int i = 0; i < BOMBS; i++) {
        var body = bombs[i % bombs.length];
        sent.add(clients.submit(() -> commit(token, "bombs/repo", body)));
      }
      while (!sent.stream().allMatch(Future::isDone)) {
        others(other);
      }
      for (var answer : sent) {
        answers.merge(answer.get(), 1, Integer::sum);
      }
    }
    // No bomb is a valid commit: the message is too long.
    assertTrue(Set.of(400, 413, 503).containsAll(answers.keySet()), answers::toString);
    assertTrue(answers.getOrDefault(400, 0) > 0, answers::toString);
    assertTrue(added > 2, "others did something meanwhile");
    assertTrue(slowest.compareTo(PATIENCE) < 0, slowest + ", " + answers);
    assertTrue(replica.process().isAlive(), answers::toString);
    assertFalse(
        Files.readString(directory.resolve("service.log")).contains("java.lang.OutOfMemoryError"),
        answers::toString);
    others(other);
    awaitFreeRoom();
    // One by one, each finds room, and is refused by what it is.
    assertEquals(413, commit(token, "bombs/repo", bombs[0]), "parsed, it is too large");
    assertEquals(400, commit(token, "bombs/repo", bombs[1]));
    assertEquals(413, commit(token, "bombs/repo", bombs[2]));
    awaitFreeRoom();
  }

  /** Another account, which may commit to the repository of the others. */
  private static String editor(String token) {
    var credentials = Map.of("email", "other@example.org", "password", People.PASSWORD);
    replica.anonymous().body(credentials).post("/api/auth/signup").then().statusCode(201);
    replica
        .as(token)
        .body(Map.of("role", "editor"))
        .put("/api/orgs/others/members/other%40example.org")
        .then()
        .statusCode(200);
    return replica.signIn("other@example.org", People.PASSWORD);
  }

  /** What is counted is given back. */
  private static void awaitFreeRoom() {
    Eventually.await(
        () -> "the room is free: " + counted() + " bytes", () -> counted() <= OF_ONE_REQUEST);
  }

  private static double counted() {
    return replica
        .anonymous()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("cairn_requests_arriving_bytes"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}

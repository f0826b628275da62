package dev.cairn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.embedded.EmbeddedPostgres;
import dev.cairn.platform.database.EmbeddedDatabase;
import dev.cairn.platform.http.Gzip;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/limits.md, Slow requests: what decompressed bodies take, in a replica with a heap of 256
 * MiB, which is a tenth of what the bodies of one flood are together.
 */
class BombsIT {
  private static final int MIB = 1024 * 1024;
  private static final int BOMBS = 200;

  @TempDir static Path directory;

  private static EmbeddedDatabase.Running database;
  private static Replica replica;

  @BeforeAll
  static void start() throws Exception {
    database = new EmbeddedPostgres().start(directory.resolve("database"), false);
    replica = Replica.start(database, directory.resolve("service.log"), Map.of());
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

  /** A commit of so many bytes, of which a text is the most. */
  private static byte[] bomb(String name, int bytes) {
    var json =
        "{'operations':[{'operation':'add','name':'%s','data':{}}],'message':'%s'}"
            .formatted(name, "x".repeat(bytes - 100))
            .replace('\'', '"');
    return Gzip.compress(json.getBytes(UTF_8));
  }

  private static int commit(String token, byte[] body) {
    return replica
        .as(token)
        .header("Content-Encoding", "gzip")
        .body(body)
        .post("/api/repos/bombs/repo/commits")
        .statusCode();
  }

  @Test
  void bombs_that_come_at_once_take_no_more_than_their_room() throws Exception {
    String token = replica.signIn();
    replica.as(token).body(Map.of("name", "bombs")).post("/api/orgs").then().statusCode(201);
    replica.as(token).body(Map.of("name", "repo")).post("/api/orgs/bombs/repos");
    var bombs = new byte[][] {bomb("S/a", 15 * MIB), bomb("S/b", 8 * MIB), bomb("S/c", 100 * MIB)};
    var answers = new TreeMap<Integer, Integer>();
    try (var clients = Executors.newFixedThreadPool(BOMBS)) {
      var sent = new ArrayList<Future<Integer>>();
      for (int i = 0; i < 5 * BOMBS; i++) {
        var body = bombs[i % bombs.length];
        sent.add(clients.submit(() -> commit(token, body)));
      }
      for (var answer : sent) {
        answers.merge(answer.get(), 1, Integer::sum);
      }
    }
    // No bomb is a valid commit: the message is too long. Those above 16 MiB are refused by that.
    assertTrue(Set.of(400, 413, 503).containsAll(answers.keySet()), answers::toString);
    assertTrue(answers.getOrDefault(400, 0) > 0, answers::toString);
    assertTrue(answers.getOrDefault(413, 0) > 0, answers::toString);
    assertTrue(replica.process().isAlive(), answers::toString);
    assertFalse(
        Files.readString(directory.resolve("service.log")).contains("OutOfMemoryError"),
        answers::toString);
    var shape = "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}";
    var small = ("{'operations':[" + shape + "]}").replace('\'', '"');
    assertEquals(201, commit(token, Gzip.compress(small.getBytes(UTF_8))));
  }
}

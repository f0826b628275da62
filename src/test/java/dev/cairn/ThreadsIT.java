package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What carries and wakes virtual threads: {@code docs/decisions/0021-carriers.md}. */
class ThreadsIT {
  private static final int COMPUTE = 6;

  @TempDir static Path directory;

  private static EmbeddedDatabase.Running database;
  private static Replica replica;

  @BeforeAll
  static void start() throws Exception {
    database = Databases.create();
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

  @Test
  void threads_of_the_system_poll_in_an_executable() throws Exception {
    assumeTrue(Artifact.isNative(), "a JVM has pollers of its own choice");
    assertTrue(threads().contains("Read-Poller"), () -> "no poller");
  }

  private static Set<String> threads() throws IOException {
    var names = new TreeSet<String>();
    try (var tasks = Files.list(Path.of("/proc/" + replica.process().pid() + "/task"))) {
      for (var task : tasks.toList()) {
        names.add(Files.readString(task.resolve("comm")).strip());
      }
    }
    return names;
  }

  @Test
  void requests_that_compute_do_not_hold_up_others() throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() < COMPUTE, "each has a processor");
    String token = replica.signIn();
    replica.as(token).body(Map.of("name", "threads")).post("/api/orgs").then().statusCode(201);
    for (int i = 0; i < COMPUTE; i++) {
      replica.as(token).body(Map.of("name", "r" + i)).post("/api/orgs/threads/repos");
      // Close to the steps that a commit may take for patterns, a second or so.
      commit(
          token,
          i,
          "{'operation':'add','kind':'shape','name':'S','data':{'fields':{"
              + "'text':{'type':'string','pattern':'(x?[^b]?){150}[bc]'}}}}",
          false);
    }
    var computing = new ArrayList<Future<Integer>>();
    try (var executor = Executors.newFixedThreadPool(COMPUTE)) {
      for (int i = 0; i < COMPUTE; i++) {
        int repository = i;
        computing.add(
            executor.submit(
                () ->
                    commit(
                        token,
                        repository,
                        "{'operation':'add','name':'S/x','data':{'text':'%s'}}"
                            .formatted("a".repeat(165_000)),
                        true)));
      }
      Thread.sleep(200);
      for (int i = 0; i < 5; i++) {
        replica.as(token).get("/api/repos/threads/r0/count").then().statusCode(200);
      }
      assertTrue(computing.stream().noneMatch(Future::isDone), "others had to wait");
      for (var answer : computing) {
        assertEquals(400, answer.get(), "the pattern does not match");
      }
    }
  }

  private static int commit(String token, int repository, String operation, boolean dryRun) {
    return replica
        .as(token)
        .body("{\"dryRun\":%s,\"operations\":[%s]}".formatted(dryRun, operation.replace('\'', '"')))
        .post("/api/repos/threads/r" + repository + "/commits")
        .statusCode();
  }
}

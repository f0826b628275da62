package dev.cairn;

import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;

import dev.cairn.platform.database.EmbeddedDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica that only works: {@code docs/configuration.md}, {@code cairn.roles}. */
class RolesIT {
  @TempDir Path directory;

  private EmbeddedDatabase.Running database;
  private Replica replica;

  @AfterEach
  void stop() throws InterruptedException {
    if (replica != null) {
      replica.stop();
    }
    if (database != null) {
      database.close();
    }
  }

  @Test
  void a_worker_answers_health_metrics_and_the_operator_alone() throws Exception {
    database = Databases.create();
    replica =
        Replica.start(
            database,
            directory.resolve("service.log"),
            Map.of("CAIRN_ROLES", "worker", "CAIRN_TICK_TOKEN", TestDatabase.TICK_TOKEN));
    for (var path : List.of("/api/whoami", "/api/repos/demo/world/head", "/demo/world/readme.md")) {
      replica
          .anonymous()
          .get(path)
          .then()
          .statusCode(503)
          .body("code", is("UNAVAILABLE"))
          .header("Retry-After", notNullValue());
    }
    replica.anonymous().get("/q/health/ready").then().statusCode(200);
    replica.anonymous().get("/q/metrics").then().statusCode(200);
    replica.as(TestDatabase.TICK_TOKEN).post("/internal/tick?seconds=1").then().statusCode(200);
  }
}

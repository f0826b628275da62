package dev.cairn.platform.operation;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;

import dev.cairn.HttpTest;
import dev.cairn.TestDatabase;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Operation: a replica that only works. */
@HttpTest
@QuarkusTest
@TestProfile(RolesTest.WorkerAlone.class)
class RolesTest {
  /** Leaves the role {@code api} out. */
  public static class WorkerAlone implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("cairn.roles", "worker");
    }
  }

  @Test
  void it_answers_health_metrics_and_the_operator_alone() {
    for (var path : List.of("/api/whoami", "/api/repos/demo/world/head", "/demo/world/readme.md")) {
      anonymous()
          .get(path)
          .then()
          .statusCode(503)
          .body("code", is("UNAVAILABLE"))
          .header("Retry-After", notNullValue());
    }
    anonymous().get("/q/health/ready").then().statusCode(200);
    anonymous().get("/q/metrics").then().statusCode(200);
    as(TestDatabase.TICK_TOKEN).post("/internal/tick?seconds=1").then().statusCode(200);
  }
}

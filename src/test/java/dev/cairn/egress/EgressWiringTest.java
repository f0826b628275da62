package dev.cairn.egress;

import static dev.cairn.egress.EgressClientTest.answer;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.StartupCheck;
import io.quarkus.arc.All;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The client within the service, whose tests may call 127.0.0.1 and nothing else inside. */
@HttpTest
@QuarkusTest
@InProcess("It asks which beans there are.")
class EgressWiringTest {
  @Inject EgressClient client;

  @Inject @All List<StartupCheck> checks;

  @Test
  void a_wrong_entry_would_stop_the_start() {
    assertTrue(checks.stream().anyMatch(EgressSettings.class::isInstance));
  }

  @Test
  void the_service_calls_what_its_configuration_lists() {
    var url = "http://127.0.0.1:" + RestAssured.port + "/q/health/live";
    assertEquals(200, answer(client.call(Egress.request(url))).status());
    var other = "http://127.0.0.2:" + RestAssured.port + "/q/health/live";
    assertInstanceOf(EgressResult.Forbidden.class, client.call(Egress.request(other)));
  }

  @Test
  void the_metrics_show_calls_without_their_paths() {
    var url = "http://127.0.0.1:" + RestAssured.port + "/no/such-secret-path?token=such-secret";
    assertEquals(404, answer(client.call(Egress.request(url))).status());
    RestAssured.get("/q/metrics")
        .then()
        .statusCode(200)
        .body(containsString("cairn_egress_calls_seconds_count{outcome=\"4xx\",purpose=\"test\"}"))
        .body(not(containsString("such-secret")));
  }
}

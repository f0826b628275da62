package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.egress.InsideNames;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, Webhooks: a delivery tells nobody which names exist around the service. */
@HttpTest
@QuarkusTest
@InProcess("It gives the service a name of an inside address.")
class InsideTargetTest extends OneHook {
  /** http was stored when the operator's settings were others. */
  @ParameterizedTest
  @ValueSource(strings = {"https", "http"})
  void a_delivery_to_a_name_of_an_inside_address_fails_like_one_to_none(String scheme) {
    var urls = InsideNames.urls(scheme).toList();
    deliveries.set(subscription, "webhook_url = ?", urls.getFirst());
    deliveries.webhook(repository, "missing", "Sensor", urls.getLast());
    deliver();
    List<Map<String, ?>> runs = runs().extract().path("");
    assertEquals(2, runs.size());
    assertEquals("WEBHOOK_NETWORK_ERROR", runs.getFirst().get("lastErrorCode"));
    assertEquals(told(runs.getFirst()), told(runs.getLast()));
    assertEquals(attempts(runs.getFirst()), attempts(runs.getLast()));
  }

  private static String told(Map<String, ?> run) {
    return "%s %s %s %s"
        .formatted(
            run.get("status"),
            run.get("attemptCount"),
            run.get("lastErrorCode"),
            run.get("lastErrorMessage"));
  }

  private List<Map<String, ?>> attempts(Map<String, ?> run) {
    List<Map<String, ?>> attempts =
        admin()
            .get(repository + "/actions/runs/" + run.get("runId") + "/attempts")
            .then()
            .statusCode(200)
            .extract()
            .path("");
    assertFalse(attempts.isEmpty());
    attempts.forEach(attempt -> attempt.keySet().removeAll(List.of("startedAt", "finishedAt")));
    return attempts;
  }
}

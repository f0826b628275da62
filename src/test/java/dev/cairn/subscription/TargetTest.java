package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HostileTargets;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;

/**
 * Targets that nobody may be made to call, refused wherever a URL is stored. The tests' operator
 * lets 127.0.0.1 be called, and nothing else of its kind; the policy itself is tested in egress.
 */
@HttpTest
@QuarkusTest
class TargetTest {
  @Test
  void hostile_targets_are_refused_when_a_subscription_is_made_and_when_it_is_changed() {
    assertTrue(HostileTargets.urls().size() >= 60, () -> "only " + HostileTargets.urls().size());
    var repository = Subs.repository();
    subscribe(repository, webhook("w")).statusCode(201);
    for (var url : HostileTargets.urls()) {
      var body = webhook("x").replace(Subs.URL, url).replace('\'', '"');
      refused(admin().body(body).post(repository + "/subs"), url);
      var change = "{\"webhookUrl\":\"" + url + "\"}";
      refused(admin().body(change).patch(repository + "/subs/w"), url);
    }
    get(repository, "w").body("webhookUrl", equalTo(Subs.URL));
    get(repository, "x").statusCode(404);
  }

  private static void refused(Response answer, String url) {
    assertEquals(
        "400 VALIDATION_ERROR /webhookUrl WEBHOOK_TARGET_FORBIDDEN",
        "%d %s %s %s"
            .formatted(
                answer.statusCode(),
                answer.path("code"),
                answer.path("errors[0].pointer"),
                answer.path("details.reason")),
        url);
  }

  @Test
  void a_host_that_does_not_resolve_now_is_taken() {
    subscribe(Subs.repository(), webhook("w").replace(Subs.URL, "https://hooks.nowhere.example/x"))
        .statusCode(201);
  }
}

package dev.cairn.component;

import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Limited;
import dev.cairn.action.Receiver;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Limits: how often an account calls servers of components. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
class CallLimitTest {
  private static void assertLimited(ValidatableResponse answer) {
    answer.statusCode(429).body("code", is("RATE_LIMITED")).header("Retry-After", notNullValue());
  }

  @Test
  void calls_of_methods_are_limited_and_failed_ones_count() {
    Limited.refill();
    try (var receiver = new Receiver()) {
      var component = new CalledComponent().installed().configured(receiver.url(""));
      for (int i = 1; i < Limited.CALLS; i++) {
        component.call("none", "{}").statusCode(404);
      }
      component.call("find", "{}").statusCode(200);
      assertLimited(component.call("find", "{}"));
      assertEquals(1, receiver.calls().size());
      component.call(component.member("viewer"), "find", "{}").statusCode(200);
    }
  }

  @Test
  void setup_calls_are_limited_together_with_requests_to_resolve() {
    Limited.refill();
    var component = new CalledComponent();
    for (int i = 1; i < Limited.SUBSCRIPTIONS; i++) {
      component.setUp(Api.adminToken(), "no id", component.hash()).statusCode(404);
    }
    assertLimited(component.setUp());
  }
}

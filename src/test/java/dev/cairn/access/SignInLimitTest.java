package dev.cairn.access;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Access: the limit on sign-ins, which the other tests run without. */
@HttpTest
@QuarkusTest
@TestProfile(SignInLimitTest.Limited.class)
class SignInLimitTest {
  private static final int LIMIT = 4;

  /** Switches the limit on. */
  public static class Limited implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("cairn.limits.sign-ins-per-minute", String.valueOf(LIMIT));
    }
  }

  @Test
  void too_many_sign_ins_of_one_address_are_429_with_retry_after_whatever_the_account() {
    for (int i = 0; i < LIMIT; i++) {
      login(i).statusCode(401);
    }
    login(LIMIT)
        .statusCode(429)
        .contentType("application/problem+json")
        .body("code", is("RATE_LIMITED"))
        .header("Retry-After", matchesPattern("[1-9]|1[0-5]"));
    anonymous().get("/api/whoami").then().statusCode(200);
  }

  private static io.restassured.response.ValidatableResponse login(int number) {
    return anonymous()
        .body(Map.of("email", number + "@example.org", "password", "wrong"))
        .post("/api/auth/login")
        .then();
  }
}

package dev.cairn.access.authentication;

import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** External issuer: made-up keys while the key set answers slowly. */
@HttpTest
@QuarkusTest
@TestProfile(ExternalSignIn.External.class)
class SlowKeySetTest extends ExternalSignIn {
  private static final int TOKENS = 12;
  private static final Duration DELAY = Duration.ofSeconds(2);

  /** The library does not fetch the key set twice in 300 ms. */
  private static final Duration FETCHED_LATELY = Duration.ofMillis(500);

  @Test
  void most_tokens_with_unknown_keys_are_refused_at_once_and_others_are_served() throws Exception {
    var subject = Api.unique("subject");
    as(token(subject)).get("/api/whoami").then().statusCode(200);
    var sent = new ArrayList<Future<Response>>();
    Thread.sleep(FETCHED_LATELY);
    ISSUER.delay(DELAY);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < TOKENS; i++) {
        var unknown = TestIssuer.sign(claims("s"), TestIssuer.ec("unknown" + i));
        sent.add(executor.submit(() -> as(unknown).get("/api/whoami")));
      }
      ISSUER.awaitRequest();
      long start = System.nanoTime();
      as(token(subject, "a@example.org", false)).get("/api/whoami").then().statusCode(200);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis < DELAY.toMillis() / 2, "a known key took " + millis + " ms");
      int busy = 0;
      for (var answer : sent) {
        if (answer.get(60, TimeUnit.SECONDS).statusCode() == 503) {
          busy++;
          answer.get().then().header("Retry-After", notNullValue()).body("code", is("UNAVAILABLE"));
        } else {
          answer.get().then().statusCode(401);
        }
      }
      assertTrue(busy >= TOKENS - 2 * KeySetLimiter.MAX_NEW, busy + " were refused at once");
    } finally {
      ISSUER.delay(Duration.ZERO);
    }
  }
}

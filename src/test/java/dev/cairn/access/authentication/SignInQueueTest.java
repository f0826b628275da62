package dev.cairn.access.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Access: many sign-ins at once. */
@HttpTest
@QuarkusTest
@InProcess("It counts by the meters.")
class SignInQueueTest {
  private static final int SIGN_INS = 32;

  @Inject MeterRegistry metrics;

  private double waiting() {
    return metrics.get("cairn.passwords.waiting").gauge().value();
  }

  @Test
  void while_sign_ins_wait_for_their_turn_a_read_is_answered() throws Exception {
    var repository = Api.newRepository();
    try (var clients = Executors.newFixedThreadPool(SIGN_INS)) {
      var signIns = new ArrayList<Future<Integer>>();
      for (int i = 0; i < SIGN_INS; i++) {
        signIns.add(
            clients.submit(
                () -> {
                  var answer = Api.login("nobody@example.org", "no password").extract();
                  // Whose turn did not come in time.
                  assertEquals(answer.statusCode() == 503, answer.header("Retry-After") != null);
                  return answer.statusCode();
                }));
      }
      Eventually.await("a quarter of them waits", () -> waiting() >= SIGN_INS / 4.0);
      Api.anonymous().get(repository + "/count").then().statusCode(200);
      assertTrue(waiting() > 0, "the read did not wait for the sign-ins");
      var statuses = new TreeSet<Integer>();
      for (var signIn : signIns) {
        statuses.add(signIn.get());
      }
      assertTrue(statuses.remove(401), "some had their turn");
      statuses.remove(503);
      assertEquals(Set.of(), statuses);
    }
  }
}

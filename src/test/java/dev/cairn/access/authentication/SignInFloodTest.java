package dev.cairn.access.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Access: sign-ins while many addresses, each below its own limit, send more than are checked. */
@HttpTest
@QuarkusTest
@InProcess("It counts by the meters.")
@TestProfile(Limited.class)
class SignInFloodTest {
  private static final String PASSWORD = "a good long password";
  private static final int ADDRESSES = 32;

  /** At least this number still waits when a sign-in has not waited for them. */
  private static final int LEFT = ADDRESSES / 2;

  @Inject MeterRegistry metrics;

  @BeforeEach
  void refill() {
    Limited.refill();
  }

  @Test
  void a_sign_in_from_a_known_address_does_not_wait_for_others_from_however_many_networks()
      throws Exception {
    var email = account();
    assertEquals(200, signIn(email, PASSWORD, "192.0.3.1"));
    double left = waitingAfterSignIn(email, "192.0.3.1", "2001:db8:%x::1");
    assertTrue(left > LEFT, left + " were left");
  }

  @Test
  void a_sign_in_from_a_new_address_waits_for_few_of_the_addresses_of_one_holder()
      throws Exception {
    double left = waitingAfterSignIn(account(), "192.0.3.2", "2001:db8:1:%x::1");
    assertTrue(left > LEFT, left + " were left");
  }

  private double waitingAfterSignIn(String email, String address, String others) throws Exception {
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < ADDRESSES; i++) {
        var other = others.formatted(i);
        callers.execute(() -> signIn(Api.unique("nobody") + "@example.org", "guess", other));
      }
      Eventually.await("most sign-ins wait", () -> waiting() >= ADDRESSES * 0.8);
      assertEquals(200, signIn(email, PASSWORD, address));
      return waiting();
    }
  }

  private double waiting() {
    return metrics.get("cairn.passwords.waiting").gauge().value();
  }

  private static String account() {
    var email = Api.unique("flood") + "@example.org";
    AccountRows.insert(email, "Flooded", PASSWORD);
    return email;
  }

  private static int signIn(String email, String password, String address) {
    return Api.anonymous()
        .header("X-Forwarded-For", address)
        .body(Map.of("email", email, "password", password))
        .post("/api/auth/login")
        .statusCode();
  }
}

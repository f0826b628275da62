package dev.cairn.access.authentication;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.login;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.access.session.RefreshTokens;
import dev.cairn.access.session.Session;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access: the accounts behind sign-ins, and how long their refresh tokens are good. */
@HttpTest
@QuarkusTest
@InProcess("It makes accounts by the bean, and tokens at times of its own.")
class AccountsTest {
  private static final String PASSWORD = "a good long password";

  @Inject Accounts accounts;
  @Inject RefreshTokens refreshTokens;

  private static ValidatableResponse refresh(String token) {
    return anonymous().body(Map.of("refreshToken", token)).post("/api/auth/refresh").then();
  }

  @Test
  void a_password_has_8_to_128_characters() {
    for (int length : new int[] {8, 128}) {
      var email = Api.unique("p") + "@example.org";
      accounts.create(email, "P", accounts.hash(email, "x".repeat(length), null));
      login(email, "x".repeat(length)).statusCode(200);
    }
    for (int length : new int[] {7, 129}) {
      var email = Api.unique("p") + "@example.org";
      var problem =
          assertThrows(
              Problem.class,
              () -> accounts.create(email, "P", accounts.hash(email, "x".repeat(length), null)));
      assertEquals("/password", problem.errors().getFirst().pointer());
      assertTrue(accounts.byEmail(email).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "@", "a@", "@b", "a b@c", "a@b@c", "a@b\n", "\u212A@b"})
  void an_address_that_is_none_is_refused(String email) {
    var problem =
        assertThrows(
            Problem.class,
            () -> accounts.create(email, "P", accounts.hash(email, "a good password", null)));
    assertEquals("/email", problem.errors().getFirst().pointer());
  }

  @Test
  void an_address_has_one_account_in_upper_and_lower_case() {
    var email = Api.unique("p") + "@example.org";
    accounts.create(email, "P", accounts.hash(email, PASSWORD, null));
    var again = email.toUpperCase(Locale.ROOT);
    var problem =
        assertThrows(
            Problem.class, () -> accounts.create(again, "P", accounts.hash(again, PASSWORD, null)));
    assertEquals(ErrorCode.ALREADY_EXISTS, problem.code());
  }

  @Test
  void of_many_accounts_made_at_once_for_an_address_one_succeeds() throws Exception {
    var email = Api.unique("race") + "@example.org";
    Callable<Integer> create =
        () -> {
          try {
            accounts.create(email, "P", accounts.hash(email, PASSWORD, null));
            return 1;
          } catch (Problem e) {
            assertEquals(ErrorCode.ALREADY_EXISTS, e.code());
            return 0;
          }
        };
    int made = 0;
    try (var pool = Executors.newFixedThreadPool(4)) {
      for (var result : pool.invokeAll(Collections.nCopies(4, create))) {
        made += result.get();
      }
    }
    assertEquals(1, made);
  }

  @Test
  void a_refresh_token_is_good_for_30_days() {
    var id = AccountRows.insert(Api.unique("p") + "@example.org", "P", PASSWORD);
    var now = Instant.now();
    refresh(begun(id, now.minus(Duration.ofDays(30)).plusSeconds(60))).statusCode(200);
    refresh(begun(id, now.minus(Duration.ofDays(30)).minusSeconds(1))).statusCode(401);
  }

  private String begun(UUID accountId, Instant at) {
    return refreshTokens.begin(Session.signIn(accountId), "192.0.2.1", at);
  }
}

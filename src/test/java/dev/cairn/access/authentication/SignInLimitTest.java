package dev.cairn.access.authentication;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Limited.SESSIONS;
import static dev.cairn.Limited.SIGN_INS;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.session.Session;
import dev.cairn.access.session.Sessions;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Access: the limit on sign-ins, which the other tests run without. */
@HttpTest
@QuarkusTest
@InProcess("It forgets addresses of sign-ins.")
@TestProfile(Limited.class)
class SignInLimitTest {
  private static final String PASSWORD = "a good long password";
  private static final AtomicInteger COUNTER = new AtomicInteger();

  @Inject SignIn signIn;
  @Inject Sessions sessions;
  @Inject SignInAddresses addresses;
  @Inject Database database;
  @Inject RateLimiter limiter;

  @BeforeEach
  void refill() {
    Limited.refill();
  }

  @Test
  void too_many_sign_ins_of_one_address_are_429_with_retry_after_whatever_the_account() {
    for (int i = 0; i < SIGN_INS; i++) {
      login(i).statusCode(401);
    }
    login(SIGN_INS)
        .statusCode(429)
        .contentType("application/problem+json")
        .body("code", is("RATE_LIMITED"))
        .header("Retry-After", matchesPattern("[1-9]|1[0-5]"));
    anonymous().get("/api/whoami").then().statusCode(200);
  }

  @Test
  void guessing_from_many_addresses_keeps_out_those_that_are_new_to_the_account_and_nobody_else() {
    var email = account();
    from("198.51.100.1", email, PASSWORD);

    assertFailures(email, SIGN_INS * 10);

    assertNewAddressIsKeptOut(email);
    from("198.51.100.1", email, PASSWORD);
    from("203.0.113.1", account(), PASSWORD);
  }

  @Test
  void a_sign_in_on_a_page_makes_its_address_known_too() {
    var email = account();
    assertNotNull(signIn.byPassword(email, PASSWORD, "198.51.100.2", account -> account));

    assertFailures(email, SIGN_INS * 10);

    from("198.51.100.2", email, PASSWORD);
    assertNewAddressIsKeptOut(email);
  }

  @Test
  void a_failure_beyond_the_limit_of_the_account_is_told_like_any_other() {
    var email = account();
    from("198.51.100.5", email, PASSWORD);
    assertFailures(email, SIGN_INS * 10);
    // Time refills the limit a little, so one of these is the first beyond it.
    for (int i = 0; i < SIGN_INS - 1; i++) {
      long before = told(email);
      var answer = code("198.51.100.5", email, "wrong");
      assertEquals(before + 1, told(email));
      if (answer == ErrorCode.RATE_LIMITED) {
        return;
      }
    }
    fail("nothing is ever refused");
  }

  private long told(String email) {
    return database
        .first(
            """
            select coalesce(sum(count), 0) from account_event
            where account_id = ? and action = 'sign_in.failed'
            """,
            row -> row.getLong(1),
            AccountRows.id(email))
        .orElseThrow();
  }

  @Test
  void an_address_is_known_for_30_days_after_the_last_sign_in_and_until_the_password_changes() {
    var email = account();
    var id = AccountRows.id(email);
    var before = Instant.now().minus(Duration.ofDays(30));
    addresses.remember(id, "198.51.100.3", before.minusSeconds(1));
    assertFalse(addresses.know(email, "198.51.100.3", Instant.now()));
    addresses.remember(id, "198.51.100.3", before.plusSeconds(60));
    assertTrue(addresses.know(email, "198.51.100.3", Instant.now()));
    assertFalse(addresses.know(email, "198.51.100.4", Instant.now()));
    addresses.delete(id);
    assertFalse(addresses.know(email, "198.51.100.3", Instant.now()));
  }

  @Test
  void an_account_that_is_none_is_limited_like_others() {
    assertFailures(Api.unique("nobody") + "@example.org", SIGN_INS * 10);
  }

  /** Fails from ever other addresses until the account's limit says no; time refills a little. */
  private void assertFailures(String email, int limit) {
    long begun = System.nanoTime();
    int failures = 0;
    while (code(address(failures), email, "wrong") == ErrorCode.UNAUTHENTICATED) {
      failures++;
      long refilled = (System.nanoTime() - begun) / 1_000_000_000 * limit / 60 + 1;
      assertTrue(failures <= limit + refilled, failures + " failures");
    }
    assertTrue(failures >= limit, failures + " failures");
  }

  /** Again where the limit had time to refill in between. */
  private void assertNewAddressIsKeptOut(String email) {
    for (int i = 0; i < 10; i++) {
      while (code(address(i), email, "wrong") == ErrorCode.UNAUTHENTICATED) {
        assertTrue(COUNTER.get() < 10_000, "nothing is ever refused");
      }
      try {
        from(address(i), email, PASSWORD);
      } catch (Problem e) {
        assertEquals(ErrorCode.RATE_LIMITED, e.code());
        return;
      }
    }
    fail("a new address was let in each time");
  }

  @Test
  void sign_ins_that_succeed_use_up_nothing_of_the_accounts_limit() {
    var email = account();
    for (int i = 0; i <= SIGN_INS * 10; i++) {
      from(address(i), email, PASSWORD);
    }
    from("203.0.113.1", email, PASSWORD);
  }

  @Test
  void an_address_is_limited_at_its_own_account_too() {
    var email = account();
    for (int i = 0; i < SIGN_INS; i++) {
      from("198.51.100.7", email, PASSWORD);
    }
    assertRefused("198.51.100.7", email, PASSWORD, ErrorCode.RATE_LIMITED);
  }

  @Test
  void an_account_begins_no_more_sessions_in_an_hour_than_the_limit_says() {
    var email = account();
    for (int i = 0; i < SESSIONS; i++) {
      sessions.beginInBrowser(
          AccountRows.id(email), Sha256.of(email + i), Duration.ofHours(1), "::1", Instant.now());
    }
    Api.login(email, PASSWORD)
        .statusCode(429)
        .header("Retry-After", notNullValue())
        .body(
            "detail",
            is("At most %d requests in 3600 seconds (limit `sessions`).".formatted(SESSIONS)));
    Api.login(account(), PASSWORD).statusCode(200);
    Limited.refill();
    Api.login(email, PASSWORD).statusCode(200);
  }

  @Test
  void an_account_changes_its_password_no_more_often_in_an_hour_than_the_limit_says() {
    var email = account();
    var token = Api.token(email, PASSWORD);
    Api.changePassword(token, PASSWORD, PASSWORD).then().statusCode(200);
    // Each change takes the time of two hashes, so all but the first and the last are only counted.
    for (int i = 2; i < SESSIONS; i++) {
      limiter.take("passwords", "account:" + AccountRows.id(email), SESSIONS, Duration.ofHours(1));
    }
    Api.changePassword(token, PASSWORD, PASSWORD).then().statusCode(200);
    Api.changePassword(token, PASSWORD, "another password")
        .then()
        .statusCode(429)
        .body(
            "detail",
            is("At most %d requests in 3600 seconds (limit `passwords`).".formatted(SESSIONS)));
    Api.login(email, PASSWORD).statusCode(200);
  }

  @Test
  void a_session_is_renewed_no_more_often_than_the_limit_says_and_its_token_stays_valid() {
    var email = account();
    var other = refreshToken(Api.login(email, PASSWORD));
    var token = refreshToken(Api.login(email, PASSWORD));
    for (int i = 0; i < SESSIONS; i++) {
      token = refreshToken(renew(token));
    }
    renew(token)
        .statusCode(429)
        .header("Retry-After", notNullValue())
        .body(
            "detail",
            is("At most %d requests in 3600 seconds (limit `renewals`).".formatted(SESSIONS)));
    renew(other).statusCode(200);
    Limited.refill();
    renew(token).statusCode(200);
  }

  @Test
  void the_sessions_of_an_account_are_renewed_no_more_often_than_the_limit_says() {
    var account = AccountRows.id(account());
    for (int i = 0; i < Sessions.RENEWALS_OF_ACCOUNT * SESSIONS; i++) {
      sessions.countRenewal(Session.browser(account));
    }
    var refusal =
        assertThrows(Problem.class, () -> sessions.countRenewal(Session.browser(account)));
    assertEquals(ErrorCode.RATE_LIMITED, refusal.code());
    sessions.countRenewal(Session.browser(AccountRows.id(account())));
  }

  private static String refreshToken(ValidatableResponse answer) {
    return answer.statusCode(200).extract().path("refreshToken");
  }

  private static ValidatableResponse renew(String token) {
    return anonymous().body(Map.of("refreshToken", token)).post("/api/auth/refresh").then();
  }

  @Test
  void an_e_mail_address_that_is_too_long_is_refused() {
    var longest = "x".repeat(242) + "@example.org";
    assertRefused("198.51.100.8", longest, "wrong", ErrorCode.UNAUTHENTICATED);
    assertRefused("198.51.100.8", "x" + longest, "wrong", ErrorCode.VALIDATION_ERROR);
  }

  private String account() {
    var email = Api.unique("limited") + "@example.org";
    AccountRows.insert(email, "Limited", PASSWORD);
    return email;
  }

  /** One of enough addresses for none to reach its own limit. */
  private static String address(int number) {
    return "2001:db8:%x:%x::1".formatted(COUNTER.incrementAndGet(), number);
  }

  private void from(String address, String email, String password) {
    assertNotNull(signIn.byPassword(email, password, address, "http://localhost"));
  }

  private ErrorCode code(String address, String email, String password) {
    return assertThrows(Problem.class, () -> from(address, email, password)).code();
  }

  private void assertRefused(String address, String email, String password, ErrorCode code) {
    assertEquals(code, code(address, email, password));
  }

  private static ValidatableResponse login(int number) {
    return anonymous()
        .body(Map.of("email", number + "@example.org", "password", "wrong"))
        .post("/api/auth/login")
        .then();
  }
}

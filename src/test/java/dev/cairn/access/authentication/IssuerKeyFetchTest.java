package dev.cairn.access.authentication;

import static dev.cairn.access.authentication.IssuerKeyFetch.PAUSE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.ParseException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** External issuer: how long a token waits for the key set. */
class IssuerKeyFetchTest {
  private final TestIssuer issuer = new TestIssuer();
  private final AtomicLong now = new AtomicLong();
  private final IssuerKeyFetch fetch = new IssuerKeyFetch(now::get);

  private JWTAuthContextInfo settings() {
    var settings = new JWTAuthContextInfo();
    settings.setIssuedBy(issuer.url());
    settings.setPublicKeyLocation(issuer.jwks());
    settings.setSignatureAlgorithm(Set.of(SignatureAlgorithm.ES256));
    return settings;
  }

  /** The key set is fetched again each time, and the last one is kept if that fails. */
  private JWTAuthContextInfo keptAfterErrors() {
    var settings = settings();
    settings.setJwksRefreshInterval(0);
    settings.setJwksRetainCacheOnErrorDuration(1);
    return settings;
  }

  @Test
  void a_key_set_that_does_not_answer_ends_the_wait_and_is_asked_again_after_five_seconds()
      throws Exception {
    var key = TestIssuer.ec("first");
    issuer.publish(key);
    var token = TestIssuer.sign(issuer.claims("audience", "ann"), key);
    var settings = settings();
    issuer.delay(Duration.ofSeconds(30));
    assertTimeout(
        Duration.ofSeconds(10),
        () -> assertThrows(ParseException.class, () -> fetch.parse(token, settings)));
    issuer.delay(Duration.ZERO);
    now.addAndGet(PAUSE.toNanos());
    assertEquals("ann", fetch.parse(token, settings).getSubject());
  }

  @Test
  void a_key_set_that_fails_is_asked_once_in_five_seconds_whatever_tokens_come() throws Exception {
    var key = TestIssuer.ec("first");
    issuer.publish(key);
    var token = TestIssuer.sign(issuer.claims("audience", "ann"), key);
    var settings = settings();
    issuer.answer(500);
    for (int i = 0; i < 10; i++) {
      var unknown = TestIssuer.sign(issuer.claims("audience", "eve"), TestIssuer.ec("made-up" + i));
      assertThrows(ParseException.class, () -> fetch.parse(unknown, settings));
    }
    assertEquals(1, issuer.requests());

    issuer.answer(200);
    now.addAndGet(PAUSE.toNanos() - 1);
    assertThrows(ParseException.class, () -> fetch.parse(token, settings));
    now.addAndGet(1);
    assertEquals("ann", fetch.parse(token, settings).getSubject());
    assertEquals(2, issuer.requests());
  }

  @Test
  void a_key_that_the_issuer_has_withdrawn_ends_with_the_interval_and_not_when_the_issuer_says()
      throws Exception {
    var key = TestIssuer.ec("withdrawn");
    issuer.publish(key);
    var token = TestIssuer.sign(issuer.claims("audience", "ann"), key);
    var settings = settings();
    settings.setJwksRefreshInterval(0);
    assertEquals("ann", fetch.parse(token, settings).getSubject());
    issuer.publish(TestIssuer.ec("other"));
    // Not at once: a key set that was fetched a moment ago is not fetched again.
    Eventually.await("the token is refused", () -> isRefused(token, settings));
  }

  @Test
  void while_the_key_set_cannot_be_fetched_the_last_one_counts_on() throws Exception {
    var key = TestIssuer.ec("first");
    issuer.publish(key);
    var token = TestIssuer.sign(issuer.claims("audience", "ann"), key);
    var settings = keptAfterErrors();
    assertEquals("ann", fetch.parse(token, settings).getSubject());
    issuer.answer(500);
    Eventually.await(
        "the key set is asked for again",
        () -> {
          assertFalse(isRefused(token, settings));
          return issuer.requests() == 2;
        });
  }

  @Test
  void a_key_set_that_could_not_be_fetched_for_an_hour_does_not_count() throws Exception {
    var key = TestIssuer.ec("first");
    issuer.publish(key);
    var token = TestIssuer.sign(issuer.claims("audience", "ann"), key);
    var settings = keptAfterErrors();
    assertEquals("ann", fetch.parse(token, settings).getSubject());
    issuer.answer(500);
    now.addAndGet(IssuerKeyFetch.MAX_AGE.toNanos() + 1);
    Eventually.await("the token is refused", () -> isRefused(token, settings));
    issuer.answer(200);
    now.addAndGet(PAUSE.toNanos());
    assertFalse(isRefused(token, settings));
  }

  @Test
  void an_answer_that_is_no_key_set_does_not_make_the_last_one_count_longer() throws Exception {
    var key = TestIssuer.ec("first");
    issuer.publish(key);
    var token = TestIssuer.sign(issuer.claims("audience", "ann"), key);
    var settings = keptAfterErrors();
    assertEquals("ann", fetch.parse(token, settings).getSubject());
    issuer.answer("no key set");
    now.addAndGet(IssuerKeyFetch.MAX_AGE.toNanos() + 1);
    Eventually.await("the token is refused", () -> isRefused(token, settings));
    assertTrue(isRefused(token, settings));
  }

  private boolean isRefused(String token, JWTAuthContextInfo settings) {
    try {
      return !"ann".equals(fetch.parse(token, settings).getSubject());
    } catch (ParseException e) {
      return true;
    }
  }
}

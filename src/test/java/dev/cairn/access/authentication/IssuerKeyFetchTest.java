package dev.cairn.access.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.ParseException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** External issuer: how long a token waits for the key set. */
class IssuerKeyFetchTest {
  private final TestIssuer issuer = new TestIssuer();
  private final IssuerKeyFetch fetch = new IssuerKeyFetch();

  private JWTAuthContextInfo settings() {
    var settings = new JWTAuthContextInfo();
    settings.setIssuedBy(issuer.url());
    settings.setPublicKeyLocation(issuer.jwks());
    settings.setSignatureAlgorithm(Set.of(SignatureAlgorithm.RS256));
    return settings;
  }

  @Test
  void a_key_set_that_does_not_answer_ends_the_wait_and_is_asked_again_with_the_next_token()
      throws Exception {
    var key = TestIssuer.rsa("first");
    issuer.publish(key);
    var token = TestIssuer.sign(issuer.claims("audience", "ann"), key);
    var settings = settings();
    issuer.delay(Duration.ofSeconds(30));
    assertTimeout(
        Duration.ofSeconds(10),
        () -> assertThrows(ParseException.class, () -> fetch.parse(token, settings)));
    issuer.delay(Duration.ZERO);
    assertEquals("ann", fetch.parse(token, settings).getSubject());
  }
}

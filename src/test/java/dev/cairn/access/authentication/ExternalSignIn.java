package dev.cairn.access.authentication;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.BeforeEach;

/** A service whose accounts sign in by an external issuer, which really is another HTTP server. */
public abstract class ExternalSignIn {
  static final TestIssuer ISSUER = new TestIssuer();
  static final PublicJsonWebKey KEY = TestIssuer.rsa("first");
  static final String AUDIENCE = "https://cairn.example.org";

  /** Points the service at the test's issuer. One profile for all tests of it starts once. */
  public static class External implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "mp.jwt.verify.issuer",
          ISSUER.url(),
          "mp.jwt.verify.publickey.location",
          ISSUER.jwks(),
          "cairn.public-url",
          AUDIENCE + "/",
          "smallrye.jwt.jwks.forced-refresh-interval",
          "0");
    }
  }

  /** The identifier of the issuer that signs people in. */
  public static String issuer() {
    return ISSUER.url();
  }

  @BeforeEach
  void keys() {
    ISSUER.publish(KEY);
  }

  static JwtClaims claims(String subject) {
    return ISSUER.claims(AUDIENCE, subject);
  }

  static String token(String subject) {
    return TestIssuer.sign(claims(subject), KEY);
  }

  static String token(String subject, String email, Object verified) {
    var claims = claims(subject);
    claims.setClaim("email", email);
    claims.setClaim("email_verified", verified);
    claims.setClaim("name", "Name of " + subject);
    return TestIssuer.sign(claims, KEY);
  }
}

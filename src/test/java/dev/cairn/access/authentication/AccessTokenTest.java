package dev.cairn.access.authentication;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.SameBytes;
import dev.cairn.access.session.Session;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.build.Jwt;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import jakarta.inject.Inject;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Access: what a token must be to count, and the keys that verify it. */
@HttpTest
@QuarkusTest
@InProcess("It signs tokens that the service would not.")
class AccessTokenTest {
  private static final String ISSUER = "http://localhost:8080";
  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  @Inject Accounts accounts;
  @Inject SigningKeys keys;
  @Inject AccessTokens tokens;

  private Account account;

  @BeforeEach
  void createAccount() {
    account = accounts.create(Api.unique("t") + "@example.org", "Holder", "a good password");
  }

  private JwtClaimsBuilder claims() {
    return Jwt.issuer(ISSUER)
        .audience(ISSUER)
        .subject(account.id.toString())
        .claim("sid", AccountRows.session(account.id).toString())
        .claim("client_id", Session.SIGN_IN)
        .expiresAt(Instant.now().plusSeconds(600));
  }

  private static String signed(JwtClaimsBuilder claims, String kid, PrivateKey key) {
    return claims.jws().algorithm(SignatureAlgorithm.ES256).keyId(kid).sign(key);
  }

  private String signed(JwtClaimsBuilder claims) {
    return signed(claims, keys.current().id(), keys.current().privateKey());
  }

  private static void assertAccepted(String token) {
    as(token).get("/api/whoami").then().statusCode(200).body("authenticated", is(true));
  }

  private static void assertRefused(String token) {
    as(token)
        .get("/api/whoami")
        .then()
        .statusCode(401)
        .body("code", is("UNAUTHENTICATED"))
        .header("WWW-Authenticate", startsWith("Bearer"));
  }

  private String issued(Instant at) {
    return AccountRows.accessToken(tokens, account, ISSUER, at);
  }

  @Test
  void a_token_is_good_for_an_hour() {
    var now = Instant.now();
    assertAccepted(issued(now.minus(Duration.ofMinutes(55))));
    assertRefused(issued(now.minus(Duration.ofMinutes(65))));
    assertRefused(issued(now.minus(Duration.ofDays(400))));
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8080, http://localhost:8080, true",
    "http://localhost:8080, http://localhost:8080/mcp, true",
    "https://127.0.0.1, https://127.0.0.1, true",
    "http://[::1]:9090, http://[::1]:9090, true",
    "http://cairn.localhost, http://cairn.localhost, true",
    "http://localhost:8080, http://localhost:9090, false",
    "http://localhost:8080, http://localhost:8080/api, false",
    "http://localhost:8080/, http://localhost:8080/, false",
    "http://evil.example, http://evil.example, false",
    "http://evil.example, http://localhost:8080, false",
    "http://localhost.evil.example, http://localhost.evil.example, false",
    "http://localhost@evil.example, http://localhost@evil.example, false",
    "http://127.0.0.1.evil.example, http://127.0.0.1.evil.example, false",
    "cairn, cairn, false"
  })
  void without_a_public_url_a_token_is_issued_by_and_for_a_loopback_address(
      String issuer, String audience, boolean accepted) {
    var token =
        signed(
            Jwt.issuer(issuer)
                .audience(audience)
                .subject(account.id.toString())
                .claim("sid", AccountRows.session(account.id).toString())
                .claim("client_id", Session.SIGN_IN)
                .expiresAt(Instant.now().plusSeconds(600)));
    if (accepted) {
      assertAccepted(token);
    } else {
      assertRefused(token);
    }
  }

  @Test
  void a_token_altered_anywhere_is_refused() {
    var token = issued(Instant.now());
    assertAccepted(token);
    int payload = token.indexOf('.') + 1;
    int signature = token.indexOf('.', payload) + 1;
    for (int at : new int[] {2, payload - 3, payload + 2, signature - 3, signature + 2}) {
      char other = token.charAt(at) == 'A' ? 'B' : 'A';
      assertRefused(token.substring(0, at) + other + token.substring(at + 1));
    }
    for (var same : SameBytes.of(token.substring(signature))) {
      assertRefused(token.substring(0, signature) + same);
    }
    assertRefused(token + "=");
    assertRefused(token.substring(0, signature - 1));
    assertRefused(token.substring(0, signature));
    assertRefused(token + "." + token);
  }

  @Test
  void the_claims_of_one_token_do_not_go_with_the_signature_of_another() {
    var one = issued(Instant.now()).split("\\.", -1);
    var other = signed(claims().claim("name", "Somebody else")).split("\\.", -1);
    assertRefused(other[0] + "." + other[1] + "." + one[2]);
  }

  @Test
  void a_token_signed_by_a_foreign_key_is_refused() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    var foreign = generator.generateKeyPair().getPrivate();
    assertAccepted(signed(claims()));
    for (var kid : List.of(keys.current().id(), "00000000-0000-0000-0000-000000000000", "x", "")) {
      assertRefused(signed(claims(), kid, foreign));
    }
    assertRefused(
        claims().jws().algorithm(SignatureAlgorithm.ES256).sign(keys.current().privateKey()));
  }

  @Test
  void a_token_without_a_signature_is_refused() {
    for (var alg : List.of("none", "None", "NONE", "", "ES256")) {
      var unsigned = unsigned(alg);
      assertRefused(unsigned);
      assertRefused(unsigned + ".");
      assertRefused(unsigned + "." + URL.encodeToString(new byte[64]));
    }
  }

  @Test
  void a_token_that_takes_the_public_key_for_a_secret_is_refused() throws GeneralSecurityException {
    var unsigned = unsigned("HS256");
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(keys.current().publicKey().getEncoded(), "HmacSHA256"));
    assertRefused(unsigned + "." + URL.encodeToString(mac.doFinal(unsigned.getBytes(US_ASCII))));
  }

  private String unsigned(String alg) {
    return part("{\"alg\":\"%s\",\"kid\":\"%s\"}".formatted(alg, keys.current().id()))
        + "."
        + part(
            "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"%s\",\"exp\":%d}"
                .formatted(ISSUER, ISSUER, account.id, Instant.now().getEpochSecond() + 600));
  }

  private static String part(String json) {
    return URL.encodeToString(json.getBytes(UTF_8));
  }

  @Test
  void a_token_must_say_who_until_when_and_for_whom() {
    var soon = Instant.now().plusSeconds(600);
    assertAccepted(signed(claims()));
    assertRefused(signed(Jwt.issuer(ISSUER).audience(ISSUER).expiresAt(soon)));
    assertRefused(signed(claims().subject("no-uuid")));
    assertRefused(signed(claims().claim("sid", "no-uuid")));
    assertRefused(signed(claims().claim("sid", UUID.randomUUID().toString())));
    assertRefused(signed(claims().expiresAt(Instant.now().minusSeconds(600))));
    assertRefused(signed(claims().expiresAt(Instant.now().minusSeconds(1))));
  }

  @Test
  void the_published_key_set_verifies_a_token_and_holds_nothing_private()
      throws GeneralSecurityException {
    var token = issued(Instant.now()).split("\\.", -1);
    var header = JsonPath.from(new String(DECODER.decode(token[0]), UTF_8));
    var kid = header.getString("kid");
    Map<String, String> jwk =
        anonymous()
            .get("/.well-known/jwks.json")
            .then()
            .statusCode(200)
            .body("keys.kid", hasItem(kid))
            .body("keys", everyItem(not(hasKey("d"))))
            .extract()
            .path("keys.find { it.kid == '" + kid + "' }");
    assertEquals("ES256", header.getString("alg"));
    assertEquals(
        List.of("EC", "P-256", "ES256", "sig"),
        List.of(jwk.get("kty"), jwk.get("crv"), jwk.get("alg"), jwk.get("use")));
    var verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
    verifier.initVerify(publicKey(jwk));
    verifier.update((token[0] + "." + token[1]).getBytes(US_ASCII));
    assertTrue(verifier.verify(DECODER.decode(token[2])));
  }

  private static PublicKey publicKey(Map<String, String> jwk) throws GeneralSecurityException {
    var parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    var point =
        new ECPoint(
            new BigInteger(1, DECODER.decode(jwk.get("x"))),
            new BigInteger(1, DECODER.decode(jwk.get("y"))));
    return KeyFactory.getInstance("EC")
        .generatePublic(
            new ECPublicKeySpec(point, parameters.getParameterSpec(ECParameterSpec.class)));
  }
}

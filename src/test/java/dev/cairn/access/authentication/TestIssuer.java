package dev.cairn.access.authentication;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/** An OpenID provider of the tests: an HTTP server with keys of its own. */
final class TestIssuer {
  /** Of the identifier; issuers of several realms have one. */
  private static final String PATH = "/realms/one";

  private final List<PublicJsonWebKey> published = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  /** What is answered instead of the published keys; null for these. */
  private volatile String text;

  private final AtomicInteger requests = new AtomicInteger();
  private volatile int status = 200;
  private volatile Duration delay = Duration.ZERO;
  private volatile CountDownLatch delayed = new CountDownLatch(1);

  TestIssuer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        PATH + "/jwks",
        exchange -> {
          requests.incrementAndGet();
          pause();
          var set = text == null ? new JsonWebKeySet(published).toJson() : text;
          var body = set.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.getResponseHeaders().add("Cache-Control", "max-age=86400");
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.setExecutor(
        task -> {
          var thread = new Thread(task);
          thread.setDaemon(true);
          thread.start();
        });
    server.start();
  }

  private void pause() {
    if (delay.isPositive()) {
      delayed.countDown();
      try {
        Thread.sleep(delay);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Answers requests for the key set so much later from now on. */
  void delay(Duration delay) {
    this.delayed = new CountDownLatch(1);
    this.delay = delay;
  }

  /** Answers requests for the key set with this status from now on. */
  void answer(int status) {
    this.status = status;
  }

  /** Answers requests for the key set with a text from now on. */
  void answer(String newText) {
    this.text = newText;
  }

  /** How often the key set was asked for. */
  int requests() {
    return requests.get();
  }

  /** Returns when an answer is being delayed. */
  void awaitRequest() throws InterruptedException {
    if (!delayed.await(10, TimeUnit.SECONDS)) {
      throw new AssertionError("nobody asked for the key set");
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
  }

  String jwks() {
    return url() + "/jwks";
  }

  void publish(PublicJsonWebKey... keys) {
    published.clear();
    published.addAll(List.of(keys));
  }

  static PublicJsonWebKey rsa(String id) {
    try {
      return named(RsaJwkGenerator.generateJwk(2048), id, "RS256");
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  static PublicJsonWebKey ec(String id) {
    try {
      return named(EcJwkGenerator.generateJwk(EllipticCurves.P256), id, "ES256");
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PublicJsonWebKey named(PublicJsonWebKey key, String id, String algorithm) {
    key.setKeyId(id);
    key.setAlgorithm(algorithm);
    key.setUse("sig");
    return key;
  }

  /** The claims of a good token for {@code audience}. */
  JwtClaims claims(String audience, String subject) {
    var claims = new JwtClaims();
    claims.setIssuer(url());
    claims.setAudience(audience);
    claims.setSubject(subject);
    claims.setIssuedAtToNow();
    claims.setExpirationTimeMinutesInTheFuture(10);
    return claims;
  }

  static String sign(JwtClaims claims, PublicJsonWebKey key) {
    var signature = new JsonWebSignature();
    signature.setPayload(claims.toJson());
    signature.setKey(key.getPrivateKey());
    signature.setKeyIdHeaderValue(key.getKeyId());
    signature.setAlgorithmHeaderValue(key.getAlgorithm());
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }
}

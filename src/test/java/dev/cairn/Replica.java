package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.openapi.Contract;
import dev.cairn.platform.database.EmbeddedDatabase;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The packaged service, started beside others on one database. */
record Replica(Process process, int port) {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  static {
    Contract.speedUp();
  }

  /**
   * Starts one, and returns when it is ready.
   *
   * @param log what it writes is added to this file
   * @param settings what this test sets, beside what all replicas have
   */
  static Replica start(EmbeddedDatabase.Running database, Path log, Map<String, String> settings)
      throws Exception {
    return start(Artifact.service(), database, log, settings);
  }

  /** The same, of what a command starts. */
  static Replica start(
      List<String> command,
      EmbeddedDatabase.Running database,
      Path log,
      Map<String, String> settings)
      throws Exception {
    int port = FreePort.next();
    var builder = new ProcessBuilder(command);
    builder
        .environment()
        .putAll(
            Map.of(
                "CAIRN_DATABASE_URL", database.jdbcUrl(),
                "CAIRN_DATABASE_USER", database.user(),
                "CAIRN_DATABASE_PASSWORD", database.password(),
                "CAIRN_SECRET_KEY", Base64.getEncoder().encodeToString(new byte[32]),
                "CAIRN_PUBLIC_URL", "https://cairn.example.org",
                "CAIRN_ADMIN_EMAIL", TestDatabase.ADMIN_EMAIL,
                "CAIRN_ADMIN_PASSWORD", TestDatabase.ADMIN_PASSWORD,
                "QUARKUS_HTTP_PORT", Integer.toString(port)));
    builder.environment().putAll(settings);
    return start(builder, port, log);
  }

  /**
   * Starts one in a directory, and returns when it is ready.
   *
   * @param settings all that it is told, in {@code config/application.properties} there
   */
  static Replica start(Path directory, Map<String, String> settings) throws Exception {
    int port = FreePort.next();
    var lines = new ArrayList<>(List.of("quarkus.http.port=" + port));
    settings.forEach((property, value) -> lines.add(property + "=" + value));
    var config = Files.createDirectories(directory.resolve("config"));
    Files.write(config.resolve("application.properties"), lines);
    var builder = new ProcessBuilder(Artifact.service()).directory(directory.toFile());
    return start(builder, port, directory.resolve("service.log"));
  }

  private static Replica start(ProcessBuilder builder, int port, Path log) throws Exception {
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    var replica = new Replica(builder.start(), port);
    replica.awaitReady(log);
    return replica;
  }

  private void awaitReady(Path log) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url("/q/health/ready"))).build();
    try {
      Eventually.await(
          Duration.ofSeconds(90),
          "the replica is ready",
          () -> {
            assertTrue(process.isAlive(), "the replica has ended");
            try {
              return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
            } catch (IOException e) {
              return false; // not listening yet
            }
          });
    } catch (AssertionError e) {
      process.destroy();
      throw new AssertionError("not ready: " + Files.readString(log), e);
    }
  }

  /** The URL of a path there. */
  String url(String path) {
    return "http://localhost:" + port + path;
  }

  /** A request without credentials. */
  RequestSpecification anonymous() {
    return RestAssured.given()
        .baseUri("http://localhost")
        .port(port)
        .contentType(ContentType.JSON)
        .urlEncodingEnabled(false);
  }

  /** A request with a token. */
  RequestSpecification as(String token) {
    return anonymous().auth().oauth2(token);
  }

  /** Tries to sign in. */
  Response login(String email, String password) {
    return anonymous().body(Map.of("email", email, "password", password)).post("/api/auth/login");
  }

  /** Signs in; answers the access token. */
  String signIn(String email, String password) {
    return login(email, password).then().statusCode(200).extract().path("accessToken");
  }

  /** Signs the administrator in; answers the access token. */
  String signIn() {
    return signIn(TestDatabase.ADMIN_EMAIL, TestDatabase.ADMIN_PASSWORD);
  }

  /** Tells it to end; false where it has not after a while. */
  boolean stop() throws InterruptedException {
    process.destroy();
    return process.waitFor(40, TimeUnit.SECONDS);
  }

  /** Ends it in the middle of whatever it does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}

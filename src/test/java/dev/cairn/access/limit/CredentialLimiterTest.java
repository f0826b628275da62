package dev.cairn.access.limit;

import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Waiting;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.OwnConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Limits: requests that lock one account, session or code leave the connections to others. */
@HttpTest
@QuarkusTest
@InProcess("It counts the connections of the pool of this process.")
class CredentialLimiterTest {
  private static final int POOL = 20;

  /** For one account, or one code. */
  private static final int OF_ONE = 2;

  private static final String DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

  @Inject MeterRegistry metrics;

  @Test
  void changes_of_sessions_and_tokens_of_one_account_take_two_connections() throws Exception {
    var person = People.stranger();
    var id = AccountRows.id(person.email());
    assertFew(
        "select from account where id = '" + id + "' for no key update",
        List.of(
            () -> Api.as(person.token()).delete("/api/sessions"),
            () -> Api.as(person.token()).delete("/api/sessions/" + id),
            () -> signIn(person.email(), People.PASSWORD)));
  }

  @Test
  void revocations_of_a_personal_access_token_take_two_connections() throws Exception {
    var person = People.stranger();
    Api.as(person.token()).body("{\"name\":\"p\"}").post("/api/pats").then().statusCode(201);
    assertFew(
        "select from personal_access_token where account_id = '"
            + AccountRows.id(person.email())
            + "' for update",
        List.of(() -> Api.as(person.token()).delete("/api/pats/p")));
  }

  @Test
  void polls_of_one_device_take_two_connections() throws Exception {
    String code =
        form()
            .formParam("client_id", "cairn-cli")
            .post("/oauth/device_authorization")
            .path("device_code");
    assertFew(
        "select from oauth_device where hash = decode('" + hex(code) + "', 'hex') for update",
        List.of(
            () ->
                form()
                    .formParam("grant_type", DEVICE_GRANT)
                    .formParam("client_id", "cairn-cli")
                    .formParam("device_code", code)
                    .post("/oauth/token")));
  }

  @Test
  void renewals_of_one_session_take_two_connections() throws Exception {
    var person = People.stranger();
    String token = signIn(person.email(), People.PASSWORD).path("refreshToken");
    var body = "{\"refreshToken\":\"" + token + "\"}";
    assertFew(
        "select from session where account_id = '"
            + AccountRows.id(person.email())
            + "' for update",
        List.of(
            () -> anonymous().body(body).post("/api/auth/refresh"),
            () -> anonymous().body(body).post("/api/auth/logout")));
  }

  private static Response signIn(String email, String password) {
    return anonymous()
        .body("{\"email\":\"%s\",\"password\":\"%s\"}".formatted(email, password))
        .post("/api/auth/login");
  }

  private static RequestSpecification form() {
    return anonymous().contentType("application/x-www-form-urlencoded");
  }

  private static String hex(String secret) {
    return HexFormat.of().formatHex(Sha256.of(secret));
  }

  /** More requests than there are connections wait for a lock, and others are served. */
  private void assertFew(String lock, List<Supplier<Response>> requests) throws Exception {
    var sent = new ArrayList<Future<Response>>();
    try (var connection = OwnConnections.plain();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      OwnConnections.execute(connection, lock);
      for (int i = 0; i < 2 * POOL; i++) {
        var request = requests.get(i % requests.size());
        sent.add(executor.submit(request::get));
      }
      Waiting.awaitWaiters(connection, OF_ONE);
      awaitQueue();
      assertOthersAreServed();
      int waiters = Waiting.waiters(connection);
      assertTrue(waiters <= OF_ONE, waiters + " requests have a connection");
      connection.rollback();
      for (var answer : sent) {
        int status = answer.get(30, TimeUnit.SECONDS).statusCode();
        assertTrue(status < 500 || status == 503, "status " + status);
      }
    }
    assertEquals(0, metrics.get("cairn.credentials.waiting").gauge().value());
  }

  private void awaitQueue() {
    var waiting = metrics.get("cairn.credentials.waiting").gauge();
    Eventually.await(
        () -> POOL + " requests wait: " + waiting.value(), () -> waiting.value() >= POOL);
  }

  private static void assertOthersAreServed() {
    long start = System.nanoTime();
    for (int i = 0; i < 3; i++) {
      anonymous().get("/api/repos/demo/world/head").then().statusCode(200);
      Api.admin()
          .delete("/api/sessions/00000000-0000-0000-0000-000000000000")
          .then()
          .statusCode(404);
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(millis < 3_000, "the others took " + millis + " ms");
  }
}

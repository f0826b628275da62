package dev.cairn.oauth;

import static dev.cairn.oauth.Flow.PASSWORD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Waiting;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** OAuth and sign-in: what is under way while the password changes. */
@HttpTest
@QuarkusTest
class EndOfSessionsTest {
  private static Response change(String token) {
    return Api.changePassword(token, PASSWORD, "another good password");
  }

  /**
   * The answer to a request that comes after the password was changed, but before the change is
   * committed: its last statement, which deletes addresses, waits for a locked row.
   */
  private Response whileThePasswordChanges(UUID account, String token, Callable<Response> request)
      throws Exception {
    try (var connection = OwnConnections.dataSource().getConnection();
        var clients = Executors.newFixedThreadPool(2)) {
      connection.setAutoCommit(false);
      OwnConnections.execute(
          connection, "select from sign_in_address where account_id = ? for update", account);
      var changed = clients.submit(() -> change(token));
      Waiting.awaitWaiters(connection, 1);
      var answer = clients.submit(request);
      try {
        Waiting.awaitWaiters(connection, 2);
      } finally {
        connection.rollback();
      }
      assertEquals(200, changed.get().statusCode());
      return answer.get();
    }
  }

  @Test
  void a_sign_in_with_the_old_password_begins_no_session() throws Exception {
    var email = Flow.newAccount();
    var account = AccountRows.id(email);
    var token = Api.token(email, PASSWORD);
    var answer =
        whileThePasswordChanges(
            account, token, () -> Api.login(email, PASSWORD).extract().response());
    assertEquals(401, answer.statusCode());
    assertEquals(1, AccountRows.count("session", account));
    assertEquals(0, AccountRows.count("sign_in_address", account));
  }

  @Test
  void a_sign_in_on_the_page_with_the_old_password_begins_no_session() throws Exception {
    var email = Flow.newAccount();
    var account = AccountRows.id(email);
    var token = Api.token(email, PASSWORD);
    var web = new Web();
    var page = web.get("/oauth/sign-in");
    var answer =
        whileThePasswordChanges(
            account, token, () -> web.submit(page, Map.of("email", email, "password", PASSWORD)));
    assertEquals(400, answer.statusCode());
    assertTrue(answer.asString().contains("the password is wrong"), answer.asString());
    assertEquals(1, AccountRows.count("session", account));
  }

  @Test
  void no_code_is_stored_for_a_session_that_ends() throws Exception {
    var email = Flow.newAccount();
    var account = AccountRows.id(email);
    var token = Api.token(email, PASSWORD);
    var web = Web.signedIn(email);
    var page = web.get(Flow.url(Flow.ask()));
    var answer =
        whileThePasswordChanges(
            account, token, () -> web.submit(page, Map.of("decision", "allow")));
    var location = Web.location(answer);
    assertTrue(location.contains("/oauth/sign-in?"), location);
    assertEquals(0, AccountRows.count("oauth_code", account));
  }

  @Test
  void no_device_is_approved_by_a_session_that_ends() throws Exception {
    var email = Flow.newAccount();
    var account = AccountRows.id(email);
    var token = Api.token(email, PASSWORD);
    String code =
        Flow.post("/oauth/device_authorization", Map.of("client_id", "cairn-cli"))
            .statusCode(200)
            .extract()
            .path("user_code");
    var web = Web.signedIn(email);
    var page = web.submit(web.get("/device"), Map.of("user_code", code));
    var answer =
        whileThePasswordChanges(
            account, token, () -> web.submit(page, Map.of("decision", "allow")));
    var location = Web.location(answer);
    assertTrue(location.contains("/oauth/sign-in?"), location);
    assertEquals(0, AccountRows.count("oauth_device", account));
  }

  @Test
  void a_code_that_is_being_exchanged_begins_nothing_that_lasts() throws Exception {
    var email = Flow.newAccount();
    var account = AccountRows.id(email);
    var token = Api.token(email, PASSWORD);
    var code = Flow.allow(Web.signedIn(email), Flow.ask()).get("code");
    try (var connection = OwnConnections.dataSource().getConnection();
        var clients = Executors.newFixedThreadPool(2)) {
      connection.setAutoCommit(false);
      // The exchange waits for the id of its session, with the code's row locked.
      OwnConnections.execute(
          connection,
          """
          insert into session (id, account_id, client_id, address, created_at, renewed_at, expires_at)
          select grant_id, account_id, 'sign-in', '192.0.2.1', now(), now(), now()
          from oauth_code where account_id = ?
          """,
          account);
      var exchanged = clients.submit(() -> Flow.token(Flow.exchange(code)).extract().response());
      Waiting.awaitWaiters(connection, 1);
      var changed = clients.submit(() -> change(token));
      try {
        Waiting.awaitWaiters(connection, 2);
      } finally {
        connection.rollback();
      }
      assertEquals(200, changed.get().statusCode());
      assertEquals(200, exchanged.get().statusCode());
      Api.as(exchanged.get().path("access_token")).get("/api/whoami").then().statusCode(401);
      assertEquals(1, AccountRows.count("session", account));
    }
  }
}

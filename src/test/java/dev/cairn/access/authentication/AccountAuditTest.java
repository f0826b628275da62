package dev.cairn.access.authentication;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.login;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.LoggedLines;
import dev.cairn.People;
import dev.cairn.Waiting;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.authentication.SessionsTest.SignedIn;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Access, Audit log of an account: what happened to it, told to it alone. */
@HttpTest
@QuarkusTest
@InProcess("It signs in from many network addresses.")
class AccountAuditTest {
  @Inject SignIn signIn;
  @Inject AccountAudit audit;

  private String email;
  private SignedIn session;

  @BeforeEach
  void person() {
    email = Api.unique("audited") + "@example.org";
    AccountRows.insert(email, "Person", People.PASSWORD);
    session = SignedIn.by(email);
  }

  private ValidatableResponse log(String parameters) {
    return as(session.accessToken()).get("/api/audit" + parameters).then().statusCode(200);
  }

  private void guess(String address) {
    assertThrows(Problem.class, () -> signIn.verified(email, "a wrong password", address));
  }

  @Test
  void what_happens_to_an_account_is_told_newest_first() {
    var other = SignedIn.by(email);
    as(session.accessToken()).body(Map.of("name", "ci")).post("/api/pats");
    as(session.accessToken()).delete("/api/pats/ci");
    as(session.accessToken()).delete("/api/pats/ci");
    as(session.accessToken()).delete("/api/sessions/" + other.id());
    Api.changePassword(session.accessToken(), People.PASSWORD, People.PASSWORD)
        .then()
        .statusCode(200);
    log("")
        .body(
            "items.action",
            contains(
                "password.changed",
                "session.ended",
                "token.revoked",
                "token.created",
                "session.started",
                "session.started"))
        .body("items.address", everyItem(is("127.0.0.1")))
        .body("items[1].details.session", is(other.id()))
        .body("items[1].details.reason", is("ended_by_account"))
        .body("items[2].target", is("ci"))
        .body("items[4].details.session", is(other.id()))
        .body("items[4].details.kind", is("sign-in"))
        .body("items[0].count", nullValue());
  }

  @Test
  void a_sign_up_and_the_reuse_of_a_refresh_token_are_told() {
    var address = Api.unique("signed-up") + "@example.org";
    anonymous()
        .body(Map.of("email", address, "password", People.PASSWORD))
        .post("/api/auth/signup")
        .then()
        .statusCode(201);
    var stolen = SignedIn.by(address);
    for (int i = 0; i < 2; i++) {
      anonymous().body(Map.of("refreshToken", stolen.refreshToken())).post("/api/auth/refresh");
    }
    as(SignedIn.by(address).accessToken())
        .get("/api/audit")
        .then()
        .body(
            "items.action",
            contains("session.started", "session.ended", "session.started", "account.created"))
        .body("items[1].details.reason", is("refresh_token_reused"));
  }

  @Test
  void a_sign_out_is_told() {
    var other = SignedIn.by(email);
    anonymous()
        .body(Map.of("refreshToken", other.refreshToken()))
        .post("/api/auth/logout")
        .then()
        .statusCode(200);
    log("")
        .body("items[0].action", is("session.ended"))
        .body("items[0].details.session", is(other.id()))
        .body("items[0].details.reason", is("signed_out"));
  }

  @Test
  void keys_that_an_account_sets_are_told_by_their_names() {
    var person = People.stranger();
    var org = Api.unique("org");
    as(person.token()).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    var set = "/api/orgs/" + org + "/credential-sets/set";
    as(person.token())
        .body(Map.of("keys", Map.of("API_KEY", "not for the log")))
        .put(set)
        .then()
        .statusCode(200);
    as(person.token()).post(set + "/revoke").then().statusCode(200);
    as(person.token()).delete(set).then().statusCode(200);
    var events = as(person.token()).get("/api/audit").then().statusCode(200);
    events
        .body(
            "items.findAll { it.target == 'set' }.action",
            contains("credential_set.deleted", "credential_set.revoked", "credential_set.created"))
        .body("items.find { it.action == 'credential_set.created' }.details.set", is("API_KEY"))
        .body("items.find { it.action == 'credential_set.created' }.details.organization", is(org));
    assertTrue(!events.extract().asString().contains("not for the log"));
  }

  @Test
  void each_event_is_a_line_of_the_log() {
    var lines = LoggedLines.of(AccountAudit.class);
    try (lines) {
      as(session.accessToken()).body(Map.of("name", "logged")).post("/api/pats");
    }
    assertEquals(List.of("token.created: logged, from 127.0.0.1"), lines.messages());
  }

  @Test
  void the_list_has_pages() {
    String cursor = log("?limit=1").body("items", hasSize(1)).extract().path("nextCursor");
    assertEquals(null, cursor);
    SignedIn.by(email);
    cursor = log("?limit=1").extract().path("nextCursor");
    log("?limit=1&cursor=" + cursor)
        .body("items.details.session", contains(session.id()))
        .body("nextCursor", nullValue());
    as(People.stranger().token()).get("/api/audit?cursor=" + cursor).then().statusCode(400);
  }

  @Test
  void failed_sign_ins_are_counted_by_hour_and_address() {
    for (int i = 0; i < 3; i++) {
      login(email, "a wrong password").statusCode(401);
    }
    guess("192.0.2.7");
    log("")
        .body("items.action", hasItem("sign_in.failed"))
        .body("items.find { it.address == '192.0.2.7' }.count", is(1))
        .body(
            "items.findAll { it.action == 'sign_in.failed' && it.address == '127.0.0.1' }"
                + ".collect { it.count }.sum()",
            is(3));
  }

  @Test
  void guesses_from_many_addresses_fill_no_table() {
    for (int i = 0; i < AccountAudit.MAX_FAILING_ADDRESSES + 3; i++) {
      guess("192.0.2." + i);
    }
    // An hour may have begun meanwhile.
    long rows =
        OwnConnections.database()
            .first(
                """
                select max(n) from (select count(*) n from account_event
                where hour is not null and account_id = ? group by hour) as hours
                """,
                row -> row.getLong(1),
                AccountRows.id(email))
            .orElseThrow();
    assertTrue(rows <= AccountAudit.MAX_FAILING_ADDRESSES + 1, rows + " rows in an hour");
    log("?limit=500")
        .body(
            "items.findAll { it.action == 'sign_in.failed' }.collect { it.count }.sum()",
            is(AccountAudit.MAX_FAILING_ADDRESSES + 3));
  }

  @Test
  void guesses_from_many_addresses_at_the_same_moment_fill_no_table() throws Exception {
    var late = new CompletableFuture<Boolean>();
    try (var connection = OwnConnections.dataSource().getConnection()) {
      QuarkusTransaction.requiringNew()
          .call(
              () -> {
                for (int i = 0; i < AccountAudit.MAX_FAILING_ADDRESSES; i++) {
                  audit.signInFailed(email, "192.0.2." + i);
                }
                Thread.ofVirtual()
                    .start(
                        () -> {
                          audit.signInFailed(email, "198.51.100.1");
                          late.complete(true);
                        });
                Eventually.await(
                    "the late one waits", () -> late.isDone() || Waiting.isAnyone(connection));
                return true;
              });
    }
    assertTrue(late.get(10, TimeUnit.SECONDS));
    long rows =
        OwnConnections.database()
            .first(
                """
                select max(n) from (select count(*) n from account_event
                where hour is not null and address is not null and account_id = ?
                group by hour) as hours
                """,
                row -> row.getLong(1),
                AccountRows.id(email))
            .orElseThrow();
    assertTrue(rows <= AccountAudit.MAX_FAILING_ADDRESSES, rows + " addresses in an hour");
  }

  @Test
  void an_address_without_an_account_leaves_no_event() {
    long before = events();
    login(Api.unique("nobody") + "@example.org", "a wrong password").statusCode(401);
    assertEquals(before, events());
  }

  private static long events() {
    return OwnConnections.database()
        .first("select count(*) from account_event", row -> row.getLong(1))
        .orElseThrow();
  }

  @Test
  void no_event_holds_a_secret() {
    var name = Api.unique("pat");
    String token =
        as(session.accessToken())
            .body(Map.of("name", name))
            .post("/api/pats")
            .then()
            .extract()
            .path("token");
    var text = log("").extract().asString();
    assertTrue(text.contains(name), text);
    for (var secret : new String[] {token, session.refreshToken(), People.PASSWORD}) {
      assertTrue(!text.contains(secret), text);
    }
    log("").body("items.address", not(hasItem(nullValue())));
  }
}

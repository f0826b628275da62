package dev.cairn.access.authentication;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.login;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.oauth.Flow;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Access, Sessions: an access token is good only while its session is there. */
@HttpTest
@QuarkusTest
class SessionsTest {
  private String email;
  private SignedIn session;

  /** The answer to a sign-in. */
  record SignedIn(String accessToken, String refreshToken) {
    static SignedIn by(String email) {
      var answer = login(email, People.PASSWORD).statusCode(200).extract();
      return new SignedIn(answer.path("accessToken"), answer.path("refreshToken"));
    }

    String id() {
      return Flow.claims(accessToken).getString("sid");
    }
  }

  /** A way in which a session ends. */
  record Ending(String name, Consumer<SessionsTest> end) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeEach
  void person() {
    email = Api.unique("session") + "@example.org";
    AccountRows.insert(email, "Person", People.PASSWORD);
    session = SignedIn.by(email);
  }

  static Stream<Ending> endings() {
    return Stream.of(
        new Ending("logout", test -> ok(refreshToken("logout", test.session.refreshToken()))),
        new Ending(
            "a refresh token used twice",
            test -> {
              ok(refreshToken("refresh", test.session.refreshToken()));
              refreshToken("refresh", test.session.refreshToken()).then().statusCode(401);
            }),
        new Ending(
            "its account, by its id",
            test -> ok(test.other().delete("/api/sessions/" + test.session.id()))),
        new Ending("its account, all others", test -> ok(test.other().delete("/api/sessions"))),
        new Ending(
            "a change of password",
            test ->
                ok(
                    test.other()
                        .body(
                            Map.of(
                                "currentPassword", People.PASSWORD, "newPassword", "another one"))
                        .post("/api/auth/password"))),
        new Ending(
            "another replica, of which this one knows nothing",
            test ->
                OwnConnections.database()
                    .update("delete from session where id = ?::uuid", test.session.id())),
        new Ending(
            "time",
            test ->
                OwnConnections.database()
                    .update(
                        "update session set expires_at = now() where id = ?::uuid",
                        test.session.id())));
  }

  private RequestSpecification other() {
    return as(SignedIn.by(email).accessToken());
  }

  private static Response refreshToken(String verb, String token) {
    return anonymous().body(Map.of("refreshToken", token)).post("/api/auth/" + verb);
  }

  private long pats() {
    return OwnConnections.database()
        .first(
            "select count(*) from personal_access_token where account_id = ?",
            row -> row.getLong(1),
            AccountRows.id(email))
        .orElseThrow();
  }

  private static void ok(Response response) {
    response.then().statusCode(200);
  }

  private ValidatableResponse mcp() {
    return as(session.accessToken())
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", "2025-11-25")
        .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
        .post("/mcp")
        .then();
  }

  @ParameterizedTest
  @MethodSource("endings")
  void no_token_of_a_session_is_good_for_anything_once_it_has_ended(Ending ending) {
    var repository = Api.newRepository("public");
    admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + repository.split("/", -1)[3] + "/members/" + email.replace("@", "%40"))
        .then()
        .statusCode(200);
    var token = session.accessToken();
    // Verified a moment before: what is remembered of a token must not outlive its session.
    var tag = as(token).get(repository + "/head").then().statusCode(200).extract().header("ETag");
    assertNotNull(tag);
    var list = as(token).get("/api/orgs").then().statusCode(200).extract().header("ETag");
    mcp().statusCode(200);

    ending.end().accept(this);

    for (var path :
        List.of(
            repository,
            repository + "/head",
            "/api/orgs/" + repository.split("/", -1)[3],
            "/api/orgs",
            "/api/whoami",
            "/api/pats",
            "/api/sessions",
            "/api/audit",
            "/api/nothing")) {
      as(token).get(path).then().statusCode(401).body("code", is("UNAUTHENTICATED"));
    }
    as(token).header("If-None-Match", tag).get(repository + "/head").then().statusCode(401);
    as(token).header("If-None-Match", list).get("/api/orgs").then().statusCode(401);
    mcp().statusCode(401).header("WWW-Authenticate", containsString("invalid_token"));
    for (var write : List.of("/api/pats", "/api/orgs", repository + "/commits")) {
      as(token).body("{\"name\":\"x\"}").post(write).then().statusCode(401);
    }
    as(token).delete(repository).then().statusCode(401);
    refreshToken("refresh", session.refreshToken()).then().statusCode(401);
    assertEquals(0, pats());
  }

  @Test
  void an_account_sees_its_own_sessions_and_no_other() {
    var stranger = People.stranger();
    var second = SignedIn.by(email);
    as(second.accessToken())
        .get("/api/sessions")
        .then()
        .statusCode(200)
        .body("items", hasSize(2))
        .body("items[0].id", is(second.id()))
        .body("items[0].current", is(true))
        .body("items[0].kind", is("sign-in"))
        .body("items[0].address", is("127.0.0.1"))
        .body("items[1].id", is(session.id()))
        .body("items[1].current", nullValue());
    as(stranger.token()).get("/api/sessions").then().body("items", hasSize(1));
  }

  @Test
  void the_list_of_sessions_has_pages() {
    SignedIn.by(email);
    var page = as(session.accessToken()).get("/api/sessions?limit=1").then().statusCode(200);
    String cursor = page.body("items", hasSize(1)).extract().path("nextCursor");
    as(session.accessToken())
        .get("/api/sessions?limit=1&cursor=" + cursor)
        .then()
        .statusCode(200)
        .body("items.id", is(List.of(session.id())))
        .body("nextCursor", nullValue());
  }

  @Test
  void nobody_ends_the_session_of_another_account() {
    var stranger = People.stranger();
    for (var id : List.of(session.id(), "nonsense")) {
      as(stranger.token()).delete("/api/sessions/" + id).then().statusCode(404);
    }
    as(stranger.token()).delete("/api/sessions").then().statusCode(200).body("ended", is(0));
    as(session.accessToken()).get("/api/whoami").then().statusCode(200);
  }

  @Test
  void ending_one_session_leaves_the_others() {
    var other = SignedIn.by(email);
    ok(as(session.accessToken()).delete("/api/sessions/" + session.id()));
    as(session.accessToken()).get("/api/whoami").then().statusCode(401);
    as(other.accessToken()).get("/api/whoami").then().statusCode(200);
    ok(refreshToken("refresh", other.refreshToken()));
  }

  @Test
  void ending_all_others_keeps_the_one_that_asks() {
    SignedIn.by(email);
    SignedIn.by(email);
    as(session.accessToken())
        .delete("/api/sessions")
        .then()
        .statusCode(200)
        .body("ok", is(true))
        .body("ended", is(2));
    as(session.accessToken()).get("/api/sessions").then().body("items.id", is(ids()));
  }

  private List<String> ids() {
    return List.of(session.id());
  }

  @Test
  void sessions_and_the_audit_log_take_a_sign_in_and_no_other_token() {
    var pat = People.pat(session.accessToken(), null);
    for (var path : List.of("/api/sessions", "/api/audit")) {
      as(pat).get(path).then().statusCode(403);
      anonymous().get(path).then().statusCode(401);
    }
    as(pat).delete("/api/sessions").then().statusCode(403);
    as(pat).delete("/api/sessions/" + session.id()).then().statusCode(403);
  }

  @Test
  void a_refreshed_token_is_of_the_same_session() {
    JsonPath tokens = refreshToken("refresh", session.refreshToken()).jsonPath();
    assertEquals(session.id(), Flow.claims(tokens.getString("accessToken")).getString("sid"));
    as(session.accessToken()).get("/api/whoami").then().statusCode(200);
  }

  @Test
  void a_personal_access_token_stays_when_its_session_ends_and_ends_by_its_name() {
    var pat = People.pat(session.accessToken(), null);
    ok(refreshToken("logout", session.refreshToken()));
    var name = as(pat).get("/api/whoami").then().statusCode(200).extract().path("token.name");
    ok(other().delete("/api/pats/" + name));
    as(pat).get("/api/whoami").then().statusCode(401);
  }
}

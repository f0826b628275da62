package dev.cairn.access.audit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.access.Caller;
import dev.cairn.access.authentication.AccessTokens;
import dev.cairn.oauth.Flow;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The audit log: who did what, from where; append only. */
@HttpTest
@QuarkusTest
class AuditLogTest {
  @Inject AccessTokens tokens;
  @Inject AuditLog audit;

  private final DataSource dataSource = OwnConnections.dataSource();

  private String org;

  @BeforeEach
  void organization() {
    org = Api.newOrg();
  }

  private ValidatableResponse log(String parameters) {
    return admin().get("/api/orgs/" + org + "/audit" + parameters).then().statusCode(200);
  }

  @Test
  void what_is_done_to_members_is_told() {
    var person = People.member(org, "viewer");
    // The second time nothing is done.
    for (int i = 0; i < 2; i++) {
      admin()
          .body(Map.of("role", "editor"))
          .put("/api/orgs/" + org + "/members/" + person.inPath())
          .then()
          .statusCode(200);
    }
    admin().delete("/api/orgs/" + org + "/members/" + person.inPath()).then().statusCode(200);
    log("")
        .body("items.action", contains("member.removed", "member.role_changed", "member.added"))
        .body("items.target", everyItem(is(person.email())))
        .body("items.actor", everyItem(is("admin@example.org")))
        .body("items.address", everyItem(is("127.0.0.1")))
        .body("items.at", everyItem(notNullValue()))
        .body("items[1].details", is(Map.of("from", "viewer", "to", "editor")))
        .body("items[0].token", nullValue());
  }

  @Test
  void what_is_done_to_repositories_and_names_is_told() {
    var repos = "/api/orgs/" + org + "/repos";
    admin().body(Map.of("name", "one")).post(repos).then().statusCode(201);
    var repository = "/api/repos/" + org + "/one";
    for (var change :
        List.of(
            Map.of("visibility", "public"),
            Map.of("visibility", "public"),
            Map.of("archived", true),
            Map.of("archived", false),
            Map.of("description", "not told"),
            Map.of("name", "two"))) {
      admin().body(change).patch(repository).then().statusCode(200);
    }
    admin().delete("/api/repos/" + org + "/two").then().statusCode(200);
    log("")
        .body(
            "items.action",
            contains(
                "repository.deleted",
                "repository.renamed",
                "repository.unarchived",
                "repository.archived",
                "repository.visibility_changed",
                "repository.created"))
        .body("items[4].details", is(Map.of("from", "private", "to", "public")));
  }

  @Test
  void where_notifications_are_sent_is_told_without_the_url() {
    admin().body(Map.of("name", "one")).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    for (var settings :
        List.of(
            "{\"notifications\":{\"webhookUrl\":\"http://127.0.0.1:9/hook?key=hidden\"}}",
            "{\"notifications\":{\"webhookUrl\":\"http://127.0.0.1:9/hook?key=hidden\"}}",
            "{\"streams\":{\"enabled\":true}}",
            "{\"notifications\":{\"webhookUrl\":null}}")) {
      admin()
          .body("{\"settings\":" + settings + "}")
          .patch("/api/repos/" + org + "/one")
          .then()
          .statusCode(200);
    }
    log("")
        .body(
            "items.action",
            contains(
                "repository.notifications_changed",
                "repository.notifications_changed",
                "repository.created"))
        .body("items[0].target", is("one"))
        .body(not(containsString("hidden")));
  }

  @Test
  void tokens_are_told_in_the_organizations_that_they_name_without_their_value() {
    var person = People.member(org, "viewer");
    var token =
        People.pat(person.token(), "{'resource':'" + org + "','permissions':['repo:read']}");
    People.pat(person.token(), "{'resource':'demo/world','permissions':['repo:read']}");
    List<String> names = as(person.token()).get("/api/pats").then().extract().path("name");
    as(person.token()).delete("/api/pats/" + names.getLast()).then().statusCode(200);
    log("")
        .body("items.action", contains("token.revoked", "token.created", "member.added"))
        .body("items[0].target", is(names.getLast()))
        .body("items[0].actor", is(person.email()));
    assertTrue(!log("").extract().asString().contains(token.substring(10)));
  }

  @Test
  void a_token_that_does_not_name_an_organization_is_told_only_where_its_owner_made_it() {
    var person = People.member(org, "editor");
    var own = Api.unique("own");
    as(person.token()).body(Map.of("name", own)).post("/api/orgs").then().statusCode(201);
    People.pat(person.token(), null);
    People.pat(person.token(), "{'permissions':['repo:read']}");
    People.pat(
        person.token(),
        "{'permissions':['repo:read']},{'resource':'" + org + "','permissions':['org:read']}");
    log("").body("items.action", contains("token.created", "member.added"));
    as(person.token())
        .get("/api/orgs/" + own + "/audit")
        .then()
        .statusCode(200)
        .body("items.action", contains("token.created", "token.created", "token.created"))
        .body("items.address", everyItem(is("127.0.0.1")));
  }

  @Test
  void the_token_by_which_something_was_done_is_named() {
    var token = People.pat(Api.adminToken(), null);
    as(token)
        .body(Map.of("name", "one"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    log("")
        .body("items[0].action", is("repository.created"))
        .body("items[0].token", containsString("pat-"));
  }

  @Test
  void the_program_by_which_something_was_done_is_named() {
    var email = Flow.newAccount();
    admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + org + "/members/" + email.replace("@", "%40"))
        .then()
        .statusCode(200);
    as(Flow.programToken(email))
        .body(Map.of("name", "one"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    log("")
        .body("items[0].action", is("repository.created"))
        .body("items[0].actor", is(email))
        .body("items[0].token", is("Garden Planner"));
  }

  @Test
  void a_program_that_ends_its_own_session_while_it_acts_is_named() throws SQLException {
    var email = Flow.newAccount();
    var program =
        (Caller.SignedIn)
            tokens.verify(Flow.programToken(email), "127.0.0.1").orElseThrow(AssertionError::new);
    try (var connection = dataSource.getConnection();
        var statement =
            connection.prepareStatement(
                "with ended as (delete from session where id = ?)"
                    + " select id from organization where name = ?")) {
      statement.setObject(1, program.sessionIdOrNull());
      statement.setString(2, org);
      try (var rows = statement.executeQuery()) {
        assertTrue(rows.next());
        audit.record(program, rows.getObject(1, UUID.class), "repository.deleted", "one", Map.of());
      }
    }
    log("").body("items[0].actor", is(email)).body("items[0].token", is("Garden Planner"));
  }

  @Test
  void the_address_is_that_of_the_connection_whatever_a_header_says() {
    admin()
        .header("X-Forwarded-For", "192.0.2.1")
        .header("X-Real-IP", "192.0.2.1")
        .header("Forwarded", "for=192.0.2.1")
        .body(Map.of("name", "one"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    log("").body("items[0].address", is("127.0.0.1"));
  }

  @Test
  void what_was_refused_is_not_told() {
    admin().body(Map.of("name", "x y")).post("/api/orgs/" + org + "/repos").then().statusCode(400);
    var viewer = People.member(org, "viewer");
    as(viewer.token()).body(Map.of("name", "x")).post("/api/orgs/" + org + "/repos").then();
    log("").body("items.action", contains("member.added"));
  }

  @Test
  void only_owners_read_it() {
    for (var role : List.of("viewer", "editor", "admin")) {
      as(People.member(org, role).token())
          .get("/api/orgs/" + org + "/audit")
          .then()
          .statusCode(403);
    }
    as(People.member(org, "owner").token())
        .get("/api/orgs/" + org + "/audit")
        .then()
        .statusCode(200);
    Api.anonymous().get("/api/orgs/" + org + "/audit").then().statusCode(404);
  }

  @Test
  void it_is_paged_newest_first() {
    for (int i = 0; i < 5; i++) {
      admin()
          .body(Map.of("name", "r" + i))
          .post("/api/orgs/" + org + "/repos")
          .then()
          .statusCode(201);
    }
    var targets = new ArrayList<String>();
    String cursor = null;
    do {
      var page = log("?limit=2" + (cursor == null ? "" : "&cursor=" + cursor)).extract().jsonPath();
      List<String> found = page.getList("items.target");
      targets.addAll(found);
      cursor = page.getString("nextCursor");
    } while (cursor != null);
    assertEquals(List.of("r4", "r3", "r2", "r1", "r0"), targets);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update audit_event set actor = 'nobody'",
        "delete from audit_event",
        "truncate audit_event"
      })
  void the_database_changes_and_deletes_no_event(String statement) throws SQLException {
    People.member(org, "viewer");
    try (var connection = dataSource.getConnection();
        var change = connection.createStatement()) {
      var refused = assertThrows(SQLException.class, () -> change.execute(statement));
      assertTrue(refused.getMessage().contains("append only"));
    }
    log("").body("items", hasSize(1)).body("items.actor", not(contains("nobody")));
  }
}

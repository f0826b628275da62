package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesRegex;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.People.Person;
import dev.cairn.platform.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Personal access tokens: how they are made, listed and revoked. */
@HttpTest
@QuarkusTest
class PatTest {
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final DataSource dataSource = OwnConnections.dataSource();

  private Person person;

  @BeforeEach
  void somebody() {
    person = People.stranger();
  }

  private ValidatableResponse create(String body) {
    return create(person, body);
  }

  private static ValidatableResponse create(Person owner, String body) {
    return as(owner.token()).body(body.replace('\'', '"')).post("/api/pats").then();
  }

  private static void refused(ValidatableResponse answer, String pointer) {
    answer
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors.pointer", hasItem(pointer));
  }

  private void assertNone() {
    as(person.token()).get("/api/pats").then().statusCode(200).body("", hasSize(0));
  }

  @Test
  void a_token_is_shown_once_and_signs_in() {
    var before = System.currentTimeMillis();
    var created =
        create("{'name':'ci-1','description':'For the build'}")
            .statusCode(201)
            .header("Cache-Control", "no-store")
            .body("name", is("ci-1"))
            .body("description", is("For the build"))
            .body("scopes", nullValue())
            .body("warnings", nullValue())
            .body("token", matchesRegex("cairn_pat_[0-9A-Za-z]{49}"))
            .extract()
            .jsonPath();
    assertEquals(30 * DAY, created.getLong("expiresAt") - created.getLong("createdAt"));
    var token = created.getString("token");
    as(token)
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("kind", is("pat"))
        .body("account.email", is(person.email()))
        .body("token.name", is("ci-1"))
        .body("token.expiresAt", greaterThan(before + 29 * DAY));
    as(person.token())
        .get("/api/pats")
        .then()
        .statusCode(200)
        .body("", hasSize(1))
        .body("[0].name", is("ci-1"))
        .body("[0].description", is("For the build"))
        .body("[0].revokedAt", nullValue())
        .body("[0].createdAt", lessThanOrEqualTo(System.currentTimeMillis()))
        .body("[0].token", nullValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "é", "a/b", "a.b", "a@b"})
  void a_name_has_letters_digits_hyphens_and_underscores(String name) {
    refused(create("{'name':'" + name + "'}"), "/name");
    assertNone();
  }

  @Test
  void a_name_has_at_most_100_characters() {
    create("{'name':'" + "n".repeat(100) + "'}").statusCode(201);
    refused(create("{'name':'" + "n".repeat(101) + "'}"), "/name");
    refused(create("{}"), "/name");
  }

  @Test
  void a_description_has_at_most_500_characters() {
    create("{'name':'a','description':'" + "d".repeat(500) + "'}").statusCode(201);
    refused(create("{'name':'b','description':'" + "d".repeat(501) + "'}"), "/description");
  }

  @Test
  void an_expiry_lies_between_now_and_366_days() {
    var now = System.currentTimeMillis();
    create("{'name':'a','expiresAt':" + (now + 366 * DAY) + "}")
        .statusCode(201)
        .body("expiresAt", is(now + 366 * DAY));
    refused(create("{'name':'b','expiresAt':" + (now + 366 * DAY + 60_000) + "}"), "/expiresAt");
    refused(create("{'name':'c','expiresAt':" + (now - 1) + "}"), "/expiresAt");
    refused(create("{'name':'d','expiresAt':'tomorrow'}"), "/expiresAt");
    refused(create("{'name':'e','expiresAt':1.5}"), "/expiresAt");
  }

  @Test
  void an_expired_token_is_401_and_stays_in_the_list_with_its_name() throws Exception {
    String token = create("{'name':'short'}").extract().path("token");
    as(token).get("/api/whoami").then().statusCode(200);
    try (var connection = dataSource.getConnection();
        var update =
            connection.prepareStatement(
                "update personal_access_token set expires_at = now() - interval '1 second' where"
                    + " account_id = (select id from account where email = ?)")) {
      update.setString(1, person.email());
      assertEquals(1, update.executeUpdate());
    }
    as(token).get("/api/whoami").then().statusCode(401).body("code", is("UNAUTHENTICATED"));
    as(person.token()).get("/api/pats").then().body("name", is(List.of("short")));
    create("{'name':'short'}").statusCode(409).body("code", is("ALREADY_EXISTS"));
  }

  @Test
  void revoking_acts_on_the_next_request_and_can_be_repeated() {
    String token = create("{'name':'gone'}").extract().path("token");
    as(token).get("/api/whoami").then().statusCode(200);
    as(person.token()).delete("/api/pats/gone").then().statusCode(200).body("ok", is(true));
    as(token)
        .get("/api/whoami")
        .then()
        .statusCode(401)
        .header("WWW-Authenticate", containsString("invalid_token"));
    Long revokedAt =
        as(person.token()).get("/api/pats").then().extract().jsonPath().getLong("[0].revokedAt");
    as(person.token()).delete("/api/pats/gone").then().statusCode(200).body("ok", is(true));
    as(person.token()).get("/api/pats").then().body("[0].revokedAt", is(revokedAt));
    create("{'name':'gone'}").statusCode(409).body("code", is("ALREADY_EXISTS"));
  }

  @Test
  void names_are_unique_for_each_account() {
    create("{'name':'same'}").statusCode(201);
    create("{'name':'same'}").statusCode(409).body("code", is("ALREADY_EXISTS"));
    create(People.stranger(), "{'name':'same'}").statusCode(201);
    as(People.stranger().token())
        .delete("/api/pats/same")
        .then()
        .statusCode(404)
        .body("code", is("NOT_FOUND"));
  }

  @Test
  void only_a_sign_in_manages_tokens() {
    String token = create("{'name':'one'}").extract().path("token");
    as(token)
        .body("{\"name\":\"two\"}")
        .post("/api/pats")
        .then()
        .statusCode(403)
        .body("code", is("FORBIDDEN"));
    as(token).get("/api/pats").then().statusCode(403);
    as(token).delete("/api/pats/one").then().statusCode(403);
    for (var method : List.of("POST", "GET")) {
      Api.anonymous()
          .request(method, "/api/pats")
          .then()
          .statusCode(401)
          .body("code", is("UNAUTHENTICATED"))
          .header("WWW-Authenticate", containsString("Bearer"));
    }
    Api.anonymous().delete("/api/pats/one").then().statusCode(401);
    as(person.token()).get("/api/pats").then().body("name", is(List.of("one")));
  }

  @Test
  void a_damaged_token_is_401_everywhere() {
    String token = create("{'name':'one'}").extract().path("token");
    var last = token.charAt(token.length() - 1);
    var damaged = token.substring(0, token.length() - 1) + (last == 'a' ? 'b' : 'a');
    assertFalse(TokenFormat.PERSONAL.isWellFormed(damaged));
    for (var wrong : List.of(damaged, TokenFormat.PERSONAL.random(), "cairn_pat_", token + "0")) {
      as(wrong).get("/api/repos/demo/world/head").then().statusCode(401);
    }
  }

  @Test
  void the_checksum_finds_every_changed_character() {
    var token = TokenFormat.PERSONAL.random();
    assertTrue(TokenFormat.PERSONAL.isWellFormed(token));
    for (int i = TokenFormat.PERSONAL.prefix().length(); i < token.length(); i++) {
      var changed = token.charAt(i) == 'x' ? 'y' : 'x';
      assertFalse(
          TokenFormat.PERSONAL.isWellFormed(
              token.substring(0, i) + changed + token.substring(i + 1)),
          "at " + i);
    }
  }

  @Test
  void scopes_name_resources_and_permissions() {
    var org = Api.newOrg();
    var editor = People.member(org, "editor");
    admin().body(Map.of("name", "repo")).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    create(
            editor,
            """
            {'name':'t','scopes':[
              {'resource':'%1$s/repo','permissions':['repo:write','repo:read'],'allowedMatches':['Note/**']},
              {'resource':'%1$s','permissions':['org:read']},
              {'permissions':['repo:read']}]}
            """
                .formatted(org))
        .statusCode(201)
        .body("warnings", nullValue())
        .body("scopes", hasSize(3))
        .body("scopes[0].resource", is(org + "/repo"))
        .body("scopes[0].permissions", is(List.of("repo:read", "repo:write")))
        .body("scopes[0].allowedMatches", is(List.of("Note/**")))
        .body("scopes[1].allowedMatches", nullValue())
        .body("scopes[2].resource", nullValue());
    as(editor.token())
        .get("/api/pats")
        .then()
        .body("[0].scopes.resource", hasItems(org + "/repo", org))
        .body("[0].scopes[0].allowedMatches", is(List.of("Note/**")));
  }

  @Test
  void allowed_matches_on_wider_entries_are_left_out_with_a_warning() {
    var org = Api.newOrg();
    var viewer = People.member(org, "viewer");
    create(
            viewer,
            """
            {'name':'t','scopes':[
              {'resource':'%s','permissions':['repo:read'],'allowedMatches':['Note/**']},
              {'permissions':['org:read'],'allowedMatches':[]}]}
            """
                .formatted(org))
        .statusCode(201)
        .body("scopes.allowedMatches", is(Arrays.asList(null, null)))
        .body("warnings", hasSize(2))
        .body("warnings[0]", allOf(containsString("/scopes/0"), containsString("unrestricted")))
        .body("warnings[1]", containsString("/scopes/1"));
  }

  @Test
  void scopes_that_break_a_rule_are_refused_by_place() {
    var org = Api.newOrg();
    var admin = People.member(org, "admin");
    var template = "{'name':'t','scopes':%s}";
    for (var wrong :
        Map.of(
                "[]",
                "/scopes",
                "[{'permissions':[]}]",
                "/scopes/0/permissions",
                "[{'resource':'" + org + "'}]",
                "/scopes/0/permissions",
                "[{'permissions':['repo:fly']}]",
                "/scopes/0/permissions/0",
                "[{'permissions':['org:read','org:read']}]",
                "/scopes/0/permissions/1",
                "[{'resource':'A/b','permissions':['repo:read']}]",
                "/scopes/0/resource",
                "[{'resource':'a/b/c','permissions':['repo:read']}]",
                "/scopes/0/resource",
                "[{'permissions':['repo:read'],'allowedMatches':['']}]",
                "/scopes/0/allowedMatches/0",
                "[{'permissions':['repo:read'],'colour':1}]",
                "/scopes/0/colour",
                "[{'permissions':['repo:read']},{'permissions':['org:read']}]",
                "/scopes/1/resource")
            .entrySet()) {
      refused(create(admin, template.formatted(wrong.getKey())), wrong.getValue());
    }
    as(admin.token()).get("/api/pats").then().body("", hasSize(0));
  }

  @Test
  void several_entries_for_a_resource_need_structured_and_no_pair_may_repeat() {
    var entries = "[{'permissions':['repo:read']},{'permissions':['org:read'%s]}],'structured':%s}";
    refused(create("{'name':'a','scopes':" + entries.formatted("", "false")), "/scopes/1/resource");
    create("{'name':'b','scopes':" + entries.formatted("", "true")).statusCode(201);
    refused(
        create("{'name':'c','scopes':" + entries.formatted(",'repo:read'", "true")),
        "/scopes/1/permissions");
  }

  @Test
  void nothing_beyond_the_role_is_granted() {
    var org = Api.newOrg();
    admin().body(Map.of("name", "repo")).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    var viewer = People.member(org, "viewer");
    for (var resource : List.of(org, org + "/repo")) {
      create(
              viewer,
              "{'name':'t','scopes':[{'resource':'%s','permissions':['repo:read','repo:write']}]}"
                  .formatted(resource))
          .statusCode(403)
          .body("code", is("FORBIDDEN"))
          .body("errors[0].pointer", is("/scopes/0/permissions"));
    }
    as(viewer.token()).get("/api/pats").then().body("", hasSize(0));
  }

  @Test
  void an_unknown_resource_and_a_hidden_one_are_alike() {
    var hidden = Api.newRepository("private").substring("/api/repos/".length());
    var template = "{'name':'t','scopes':[{'resource':'%s','permissions':['repo:read']}]}";
    var ofHidden = create(template.formatted(hidden)).statusCode(404).extract().asString();
    var unknown = Api.unique("none") + "/repo";
    var ofUnknown = create(template.formatted(unknown)).statusCode(404).extract().asString();
    assertEquals(ofUnknown.replace(unknown, "X"), ofHidden.replace(hidden, "X"));
    var org = hidden.substring(0, hidden.indexOf('/'));
    create(template.formatted(org)).statusCode(404).body("code", is("NOT_FOUND"));
  }

  @Test
  void a_public_repository_may_be_named_for_reading_by_anybody() {
    create("{'name':'t','scopes':[{'resource':'demo/world','permissions':['repo:read']}]}")
        .statusCode(201);
    create("{'name':'u','scopes':[{'resource':'demo/world','permissions':['repo:write']}]}")
        .statusCode(403);
  }

  /** Entries for everything, each for one permission and with so many patterns. */
  private static String entries(int... patterns) {
    var permissions =
        List.of("read", "checkpoint-read", "write", "action-callback", "configure", "admin");
    return IntStream.range(0, patterns.length)
        .mapToObj(
            i ->
                "{'permissions':['repo:%s'],'allowedMatches':[%s]}"
                    .formatted(
                        permissions.get(i),
                        String.join(",", Collections.nCopies(patterns[i], "'A/*'"))))
        .collect(Collectors.joining(","));
  }

  @Test
  void a_token_has_at_most_500_patterns() {
    var body = "{'name':'%s','structured':true,'scopes':[%s]}";
    create(body.formatted("most", entries(100, 100, 100, 100, 100))).statusCode(201);
    refused(
        create(body.formatted("more", entries(100, 100, 100, 100, 100, 1))),
        "/scopes/5/allowedMatches/0");
  }

  @Test
  void the_patterns_of_a_token_have_at_most_16384_characters() {
    var most = String.join(",", Collections.nCopies(16, "'" + "a".repeat(1_024) + "'"));
    var body = "{'name':'%s','scopes':[{'permissions':['repo:read'],'allowedMatches':[%s]}]}";
    create(body.formatted("most", most)).statusCode(201);
    refused(create(body.formatted("more", most + ",'a'")), "/scopes/0/allowedMatches/16");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/scopes                  | {'name':'a','scopes':null}",
        "/scopes/0/resource       | {'name':'a','scopes':[{'resource':null,'permissions':['repo:read']}]}",
        "/scopes/0/allowedMatches | {'name':'a','scopes':[{'permissions':['repo:read'],'allowedMatches':null}]}",
      },
      quoteCharacter = '`')
  void null_is_not_taken_for_no_restriction(String pointer, String body) {
    refused(create(body), pointer);
    assertNone();
  }
}

package dev.cairn.access.token;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.access.token.PatTest.assertNone;
import static dev.cairn.access.token.PatTest.refused;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.People.Person;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Personal access tokens: what they may be made for. */
@HttpTest
@QuarkusTest
class PatScopesTest {
  private Person person;

  @BeforeEach
  void somebody() {
    person = People.stranger();
  }

  private ValidatableResponse create(String body) {
    return PatTest.create(person, body);
  }

  @Test
  void scopes_name_resources_and_permissions() {
    var org = Api.newOrg();
    var editor = People.member(org, "editor");
    admin().body(Map.of("name", "repo")).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    PatTest.create(
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
  void scopes_are_shown_with_the_present_names_of_their_resources() {
    var org = Api.newOrg();
    var repos = "/api/orgs/" + org + "/repos";
    admin().body(Map.of("name", "first")).post(repos).then().statusCode(201);
    admin().body(Map.of("name", "gone")).post(repos).then().statusCode(201);
    var editor = People.member(org, "editor");
    var token =
        PatTest.create(
                editor,
                """
                {'name':'t','scopes':[
                  {'resource':'%1$s/first','permissions':['repo:read']},
                  {'resource':'%1$s/gone','permissions':['repo:read']},
                  {'resource':'%1$s','permissions':['org:read']},
                  {'permissions':['repo:write']}]}
                """
                    .formatted(org))
            .statusCode(201)
            .extract()
            .<String>path("token");
    admin()
        .body(Map.of("name", "second"))
        .patch("/api/repos/" + org + "/first")
        .then()
        .statusCode(200);
    admin().body(Map.of("name", "first")).post(repos).then().statusCode(201);
    admin().delete("/api/repos/" + org + "/gone").then().statusCode(200);
    var names = Arrays.asList(org + "/second", org + "/(deleted)", org, null);
    as(editor.token()).get("/api/pats").then().body("[0].scopes.resource", is(names));
    as(token).get("/api/whoami").then().statusCode(200).body("token.scopes.resource", is(names));
    as(token).get("/api/repos/" + org + "/second").then().statusCode(200);
    as(token).get("/api/repos/" + org + "/first").then().statusCode(403);
  }

  @Test
  void a_former_member_is_not_shown_the_names_that_private_resources_have_got_since() {
    var org = Api.newOrg();
    var repos = "/api/orgs/" + org + "/repos";
    admin().body(Map.of("name", "first")).post(repos).then().statusCode(201);
    admin().body(Map.of("name", "gone")).post(repos).then().statusCode(201);
    var viewer = People.member(org, "viewer");
    var token =
        PatTest.create(
                viewer,
                """
                {'name':'t','scopes':[
                  {'resource':'%1$s/first','permissions':['repo:read']},
                  {'resource':'%1$s/gone','permissions':['repo:read']},
                  {'resource':'%1$s','permissions':['org:read']}]}
                """
                    .formatted(org))
            .statusCode(201)
            .extract()
            .<String>path("token");
    admin().delete("/api/orgs/" + org + "/members/" + viewer.inPath()).then().statusCode(200);
    var first = "/api/repos/" + org + "/first";
    admin().body(Map.of("name", "secret")).patch(first).then().statusCode(200);
    admin().delete("/api/repos/" + org + "/gone").then().statusCode(200);
    var renamed = Api.unique("renamed");
    admin().body(Map.of("name", renamed)).patch("/api/orgs/" + org).then().statusCode(200);
    var given = List.of(org + "/first", org + "/gone", org);
    as(viewer.token()).get("/api/pats").then().body("[0].scopes.resource", is(given));
    as(token).get("/api/whoami").then().statusCode(200).body("token.scopes.resource", is(given));
    var open = Map.of("visibility", "public");
    admin().body(open).patch("/api/repos/" + renamed + "/secret").then().statusCode(200);
    var seen = List.of(renamed + "/secret", org + "/gone", renamed);
    as(viewer.token()).get("/api/pats").then().body("[0].scopes.resource", is(seen));
  }

  @Test
  void allowed_matches_on_wider_entries_are_left_out_with_a_warning() {
    var org = Api.newOrg();
    var viewer = People.member(org, "viewer");
    PatTest.create(
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
      refused(PatTest.create(admin, template.formatted(wrong.getKey())), wrong.getValue());
    }
    assertNone(admin);
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
      PatTest.create(
              viewer,
              "{'name':'t','scopes':[{'resource':'%s','permissions':['repo:read','repo:write']}]}"
                  .formatted(resource))
          .statusCode(403)
          .body("code", is("FORBIDDEN"))
          .body("errors[0].pointer", is("/scopes/0/permissions"));
    }
    assertNone(viewer);
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

  /** Entries for everything, each for one permission and with this number of patterns. */
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
    assertNone(person);
  }
}

package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How scopes narrow what a token may do: by permission, by resource, by the more specific entry.
 */
@HttpTest
@QuarkusTest
class ScopeTest {
  private static final String SHAPE =
      "{\"operations\":[{\"operation\":\"add\",\"name\":\"%s\",\"data\":{\"fields\":{}}}]}";

  private static final String[] ALL = {"open", "other", "repo"};

  private static String name(String repository) {
    return repository.substring("/api/repos/".length());
  }

  private static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  /** A token of the administrator; each % in the entries stands for the next value. */
  private static String token(String entries, String... values) {
    for (var value : values) {
      entries = entries.replaceFirst("%", value);
    }
    return People.pat(Api.adminToken(), entries);
  }

  private static ValidatableResponse read(String token, String repository) {
    return as(token).get(repository + "/head").then();
  }

  private static ValidatableResponse write(String token, String repository) {
    return as(token).body(SHAPE.formatted("S")).post(repository + "/commits").then();
  }

  private static void forbidden(ValidatableResponse answer) {
    answer.statusCode(403).body("code", is("FORBIDDEN"));
  }

  @Test
  void a_token_without_scopes_does_what_its_account_may() {
    var repository = Api.newRepository("private");
    var token = People.pat(Api.adminToken(), null);
    read(token, repository).statusCode(200);
    write(token, repository).statusCode(201);
    as(token).body("{\"description\":\"d\"}").patch(repository).then().statusCode(200);
  }

  @Test
  void scopes_are_independent() {
    var repository = Api.newRepository("private");
    var writer = token("{'resource':'%','permissions':['repo:write']}", name(repository));
    write(writer, repository).statusCode(201);
    forbidden(read(writer, repository));
    var reader = token("{'resource':'%','permissions':['repo:read']}", name(repository));
    read(reader, repository).statusCode(200);
    forbidden(write(reader, repository));
    forbidden(as(reader).body("{\"description\":\"d\"}").patch(repository).then());
    forbidden(as(reader).delete(repository).then());
  }

  @Test
  void an_entry_for_a_repository_is_good_for_that_one_only() {
    var one = Api.newRepository("private");
    var other = Api.newRepository("private");
    var token = token("{'resource':'%','permissions':['repo:read']}", name(one));
    read(token, one).statusCode(200);
    forbidden(read(token, other));
  }

  @Test
  void an_entry_for_an_organization_covers_its_repositories() {
    var one = Api.newRepository("private");
    var other = Api.newRepository("private");
    var token = token("{'resource':'%','permissions':['repo:read']}", org(one));
    read(token, one).statusCode(200);
    forbidden(read(token, other));
  }

  @Test
  void an_organizations_repositories_are_listed_where_the_token_may_read_them() {
    var org = org(Api.newRepository("private"));
    for (var more : Map.of("open", "public", "other", "private").entrySet()) {
      admin()
          .body(Map.of("name", more.getKey(), "visibility", more.getValue()))
          .post("/api/orgs/" + org + "/repos")
          .then()
          .statusCode(201);
    }
    var toList = "{'resource':'%','permissions':['org:read']}";
    assertListed(org, token(toList, org), "open");
    assertListed(org, token("{'permissions':['org:read']}"), "open");
    var ofOne = toList + ",{'resource':'%/repo','permissions':['repo:read'],'allowedMatches':[]}";
    assertListed(org, token(ofOne, org, org), "open", "repo");
    assertListed(org, token("{'resource':'%','permissions':['org:read','repo:read']}", org), ALL);
    assertListed(org, token("{'permissions':['org:read','repo:read']}"), ALL);
    assertListed(org, People.pat(Api.adminToken(), null), ALL);
    assertListed(org, People.member(org, "viewer").token(), ALL);
  }

  private static void assertListed(String org, String token, String... names) {
    as(token)
        .get("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(200)
        .body("items.name", contains(names));
    for (var name : names) {
      as(token).get("/api/repos/" + org + "/" + name).then().statusCode(200);
    }
  }

  @Test
  void the_most_specific_entry_with_the_permission_decides() {
    var repository = Api.newRepository("private");
    Prepared.commit(repository, "{'operation':'add','name':'S','data':{'fields':{}}}");
    var narrowed =
        token(
            "{'permissions':['repo:read','repo:write']},"
                + "{'resource':'%','permissions':['repo:read'],'allowedMatches':[]}",
            name(repository));
    read(narrowed, repository).statusCode(200).body("items", empty());
    // The entry for the repository says nothing of writing, so the wider one decides there.
    as(narrowed).body(SHAPE.formatted("T")).post(repository + "/commits").then().statusCode(201);
    var wide =
        token(
            "{'resource':'%','permissions':['repo:read']},"
                + "{'resource':'%','permissions':['repo:write']}",
            org(repository), name(repository));
    read(wide, repository).statusCode(200).body("items.name", contains("S", "T"));
  }

  @Test
  void a_token_that_no_entry_covers_reads_a_public_repository_as_anybody_does() {
    var open = Api.newRepository("public");
    var elsewhere = name(Api.newRepository("private"));
    read(token("{'resource':'%','permissions':['repo:read']}", elsewhere), open).statusCode(200);
    read(token("{'permissions':['org:read']}"), open).statusCode(200);
    forbidden(write(token("{'resource':'%','permissions':['repo:write']}", elsewhere), open));
  }

  @Test
  void a_token_that_an_entry_covers_is_bound_by_it_on_a_public_repository_too() {
    var open = Api.newRepository("public");
    Prepared.commit(open, "{'operation':'add','name':'S','data':{'fields':{}}}");
    read(People.narrowedPat(open, "repo:read"), open).statusCode(200).body("items", empty());
    forbidden(read(token("{'resource':'%','permissions':['repo:write']}", name(open)), open));
  }

  @Test
  void scopes_never_exceed_the_role_of_the_moment() {
    var repository = Api.newRepository("private");
    var org = org(repository);
    var person = People.member(org, "editor");
    var token =
        People.pat(
            person.token(), "{'resource':'" + org + "','permissions':['repo:read','repo:write']}");
    write(token, repository).statusCode(201);
    setRole(org, person, "viewer");
    forbidden(write(token, repository));
    read(token, repository).statusCode(200);
    admin().delete("/api/orgs/" + org + "/members/" + person.inPath()).then().statusCode(200);
    read(token, repository).statusCode(404);
  }

  private static void setRole(String org, People.Person person, String role) {
    admin()
        .body(Map.of("role", role))
        .put("/api/orgs/" + org + "/members/" + person.inPath())
        .then()
        .statusCode(200);
  }

  @Test
  void a_narrowed_token_changes_and_deletes_no_repository() {
    var repository = Api.newRepository("private");
    for (var patterns : List.of("", "'S/a'", "'**'")) {
      var token =
          token(
              "{'resource':'%','permissions':['repo:configure','repo:admin'],'allowedMatches':["
                  + patterns
                  + "]}",
              name(repository));
      forbidden(as(token).body(Map.of("visibility", "public")).patch(repository).then());
      forbidden(as(token).body(Map.of("description", "x")).patch(repository).then());
      forbidden(as(token).body("{}").patch(repository).then());
      forbidden(as(token).delete(repository).then());
    }
    var mixed =
        as(Api.adminToken())
            .body(
                """
                {"name":"mixed","structured":true,"scopes":[
                  {"resource":"%1$s","permissions":["repo:admin"],"allowedMatches":["S/a"]},
                  {"resource":"%1$s","permissions":["repo:configure"]}]}
                """
                    .formatted(name(repository)))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .<String>path("token");
    forbidden(as(mixed).body(Map.of("name", "x")).patch(repository).then());
    as(mixed).body(Map.of("description", "x")).patch(repository).then().statusCode(200);
    admin().get(repository).then().statusCode(200).body("visibility", is("private"));
  }

  @Test
  void a_repository_that_takes_the_name_of_another_one_is_not_covered() {
    var repository = Api.newRepository("private");
    var token = token("{'resource':'%','permissions':['repo:read']}", name(repository));
    admin().delete(repository).then().statusCode(200);
    admin()
        .body(Map.of("name", "repo"))
        .post("/api/orgs/" + org(repository) + "/repos")
        .then()
        .statusCode(201);
    forbidden(read(token, repository));
  }

  @Test
  void an_entry_follows_its_repository_to_a_new_name() {
    var repository = Api.newRepository("private");
    var token = token("{'resource':'%','permissions':['repo:read']}", name(repository));
    admin().body(Map.of("name", "moved")).patch(repository).then().statusCode(200);
    read(token, "/api/repos/" + org(repository) + "/moved").statusCode(200);
  }

  @Test
  void a_member_whose_token_does_not_read_the_organization_sees_its_public_side() {
    var open = Api.newRepository("public");
    var org = "/api/orgs/" + org(open);
    var token = token("{'resource':'%','permissions':['repo:read']}", name(open));
    as(token).get(org).then().statusCode(200).body("role", nullValue());
    as(token).get(org + "/repos").then().body("items.name", contains("repo"));
    forbidden(as(token).get(org + "/members").then());
    var closed = Api.newRepository("private");
    forbidden(
        as(token("{'resource':'%','permissions':['repo:read']}", name(closed)))
            .get("/api/orgs/" + org(closed))
            .then());
  }

  @Test
  void only_organizations_that_the_token_reaches_are_listed() {
    var one = Api.newOrg();
    Api.newOrg();
    var token = token("{'resource':'%','permissions':['org:read']}", one);
    as(token).get("/api/orgs").then().statusCode(200).body("items.name", contains(one));
    as(token).get("/api/whoami").then().body("orgs.name", contains(one));
    as(token("{'permissions':['repo:read']}"))
        .get("/api/orgs")
        .then()
        .statusCode(200)
        .body("items", empty());
  }

  @Test
  void making_an_organization_takes_a_token_without_scopes() {
    var body = Map.of("name", Api.unique("made"));
    var permissions =
        String.join(",", Permission.scopes().stream().map("'%s'"::formatted).toList());
    forbidden(as(token("{'permissions':[%]}", permissions)).body(body).post("/api/orgs").then());
    as(People.pat(Api.adminToken(), null)).body(body).post("/api/orgs").then().statusCode(201);
  }

  @ParameterizedTest
  @EnumSource(Permission.class)
  void each_permission_can_be_given_alone_and_shows_in_whoami(Permission permission) {
    as(token("{'permissions':['%']}", permission.scope()))
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("token.scopes[0].permissions", is(List.of(permission.scope())));
  }
}

package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.access.OpacityTest.SHAPE;
import static dev.cairn.access.OpacityTest.assertCode;
import static dev.cairn.access.OpacityTest.commit;
import static dev.cairn.access.OpacityTest.org;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Access: what a role opens, when it begins and ends, and in which order is asked. */
@HttpTest
@QuarkusTest
class AuthorityTest {
  @Test
  void roles_are_cumulative() {
    var repository = Api.newRepository("private");
    var org = "/api/orgs/" + org(repository);
    var roles = List.of("viewer", "editor", "admin", "owner");
    for (int rank = 0; rank < 4; rank++) {
      var name = "By" + roles.get(rank);
      var token = People.member(org(repository), roles.get(rank)).token();
      assertPermitted(true, 200, as(token).get(repository + "/head"));
      assertPermitted(true, 200, as(token).get(org + "/members"));
      assertPermitted(rank >= 1, 201, as(token).body(commit(name)).post(repository + "/commits"));
      assertPermitted(rank >= 1, 200, as(token).get(repository + "/verification"));
      assertPermitted(
          rank >= 2, 200, as(token).body(Map.of("description", name)).patch(repository));
      assertPermitted(
          rank >= 2, 200, as(token).body(Map.of("visibility", "private")).patch(repository));
      assertPermitted(
          rank >= 2, 201, as(token).body(Map.of("name", "by-" + rank)).post(org + "/repos"));
      assertPermitted(rank >= 2, 200, as(token).body(Map.of("displayName", name)).patch(org));
      assertPermitted(rank >= 3, 200, as(token).body(Map.of("archived", false)).patch(org));
    }
    admin()
        .get(repository + "/shapes")
        .then()
        .body("items.name", contains("Byadmin", "Byeditor", "Byowner"));
    admin().get(repository).then().body("description", is("Byowner"));
    admin().get(org).then().body("displayName", is("Byowner"));
  }

  private static void assertPermitted(boolean permitted, int success, Response response) {
    if (permitted) {
      assertEquals(success, response.statusCode(), response.asString());
    } else {
      assertCode(response, 403, "FORBIDDEN");
    }
  }

  @Test
  void deleting_a_repository_takes_an_admin_and_nothing_of_it_stays() {
    var repository = Api.newRepository("private");
    var org = org(repository);
    var editor = People.member(org, "editor");
    var admin = People.member(org, "admin");
    Prepared.commit(repository, SHAPE.formatted("A"));
    assertCode(as(editor.token()).delete(repository), 403, "FORBIDDEN");
    as(admin.token()).delete(repository).then().statusCode(200).body("ok", is(true));
    assertCode(as(admin.token()).get(repository), 404, "NOT_FOUND");
    assertCode(as(admin.token()).get(repository + "/head"), 404, "NOT_FOUND");
    admin().body(Map.of("name", "repo")).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    admin().get(repository + "/head").then().body("items", empty());
    admin().get(repository + "/commits").then().body("items", empty());
  }

  @Test
  void a_role_begins_and_ends_at_once() {
    var repository = Api.newRepository("private");
    var person = People.stranger();
    var membership = "/api/orgs/" + org(repository) + "/members/" + person.inPath();
    assertCode(as(person.token()).get(repository), 404, "NOT_FOUND");
    admin().body(Map.of("role", "viewer")).put(membership).then().statusCode(200);
    as(person.token()).get(repository).then().statusCode(200);
    admin().delete(membership).then().statusCode(200);
    assertCode(as(person.token()).get(repository), 404, "NOT_FOUND");
  }

  @Test
  void visibility_changes_at_once() {
    var repository = Api.newRepository("private");
    assertCode(anonymous().get(repository), 404, "NOT_FOUND");
    admin().body(Map.of("visibility", "public")).patch(repository).then().statusCode(200);
    anonymous().get(repository).then().statusCode(200);
    admin().body(Map.of("visibility", "private")).patch(repository).then().statusCode(200);
    assertCode(anonymous().get(repository), 404, "NOT_FOUND");
  }

  @Test
  void checks_go_token_opacity_permission_validity_state() {
    var repository = Api.newRepository("private");
    var viewer = People.member(org(repository), "viewer").token();
    var stranger = People.stranger().token();
    var bad = "{\"operations\":[]}";
    var commits = repository + "/commits";
    admin().body(Map.of("archived", true)).patch(repository).then().statusCode(200);
    assertCode(as("nonsense").body(bad).post(commits), 401, "UNAUTHENTICATED");
    assertCode(as(stranger).body(bad).post(commits), 404, "NOT_FOUND");
    assertCode(as(viewer).body(bad).post(commits), 403, "FORBIDDEN");
    assertCode(admin().body(bad).post(commits), 400, "VALIDATION_ERROR");
    assertCode(admin().body(commit("A")).post(commits + "?x=1"), 400, "VALIDATION_ERROR");
    assertCode(admin().body(commit("A")).post(commits), 409, "ARCHIVED");
    assertCode(as(viewer).body("nonsense").patch(repository), 403, "FORBIDDEN");
    assertCode(
        admin().body(Map.of("visibility", "secret")).patch(repository), 400, "VALIDATION_ERROR");
    assertCode(admin().body(Map.of("description", "x")).patch(repository), 409, "ARCHIVED");
    admin().get(repository).then().body("repoSeq", is(0));
  }

  @Test
  void a_present_but_bad_token_is_401_on_a_public_repository_too() {
    as("nonsense")
        .get(Api.newRepository("public") + "/head")
        .then()
        .statusCode(401)
        .header("WWW-Authenticate", startsWith("Bearer"));
  }

  @Test
  void names_in_paths_are_folded_to_lower_case() {
    var repository = Api.newRepository("private");
    var org = org(repository);
    Prepared.commit(repository, SHAPE.formatted("A"));
    var upper = "/api/repos/" + org.toUpperCase(Locale.ROOT) + "/REPO";
    admin().get(upper).then().statusCode(200).body("orgName", is(org)).body("name", is("repo"));
    admin()
        .get(upper + "/things/A")
        .then()
        .body("canonicalWref", is("cairn:" + org + "/repo/Shape/A"));
    admin().body(commit("B")).post(upper + "/commits").then().statusCode(201);
    admin().get(repository + "/shapes").then().body("items.name", contains("A", "B"));
    admin().get("/api/orgs/" + org.toUpperCase(Locale.ROOT)).then().body("name", is(org));
  }

  @Test
  void whoami_tells_account_and_roles() {
    anonymous()
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("", is(Map.of("authenticated", false, "kind", "anonymous", "orgs", List.of())));
    var org = Api.newOrg();
    var person = People.member(org, "viewer");
    as(person.token())
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("authenticated", is(true))
        .body("kind", is("jwt"))
        .body("account", is(Map.of("email", person.email(), "displayName", "Person")))
        .body("orgs", contains(Map.of("name", org, "role", "viewer")));
    as(People.stranger().token()).get("/api/whoami").then().body("orgs", empty());
  }
}

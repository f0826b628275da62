package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.Method;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Access: what outsiders learn, what members may do, and the order of the checks. */
@HttpTest
@QuarkusTest
class OpacityTest {
  private static final String SHAPE =
      "{'operation':'add','kind':'shape','name':'%s','data':{'fields':{}}}";

  /** Every endpoint of a repository: the method, and the path behind the repository's. */
  static final List<String> ENDPOINTS =
      List.of(
          "GET ",
          "GET /head",
          "GET /head?colour=red",
          "GET /head?cursor=x",
          "HEAD /head",
          "GET /query",
          "GET /count",
          "GET /things/Sensor%2Fa",
          "GET /things/Sensor%2Fa?version=x",
          "GET /about/Sensor%2Fa",
          "GET /history",
          "GET /history?wref=Sensor/a",
          "GET /diff",
          "GET /diff?from=0",
          "GET /refs/Sensor%2Fa",
          "GET /resolve/Sensor%2Fa",
          "GET /shapes",
          "GET /shapes/Sensor",
          "GET /describe",
          "GET /describe?limit=0",
          "GET /commits",
          "GET /commits/0123456789abcdef",
          "PUT /commits",
          "OPTIONS /commits",
          "GET /verification",
          "GET /actions/runs",
          "GET /actions/runs?status=done",
          "GET /actions/runs/01890000-0000-7000-8000-000000000000/attempts",
          "GET /actions/runs/nonsense/attempts",
          "GET /actions/subs/watch/commits/0123456789abcdef/attempts",
          "GET /actions/notifications",
          "GET /actions/notifications?limit=0",
          "POST /actions/runs/01890000-0000-7000-8000-000000000000/retry",
          "POST /subs/watch/recover",
          "GET /export",
          "HEAD /export",
          "GET /export?prefer=async",
          "GET /export?prefer=nonsense",
          "GET /export?token=nonsense",
          "GET /subs",
          "GET /subs/watch",
          "HEAD /subs/watch",
          "GET /subs/watch?colour=red",
          "POST /subs",
          "PATCH /subs/watch",
          "POST /subs/watch/pause",
          "POST /subs/watch/resume",
          "POST /subs/watch/bind",
          "DELETE /subs/watch/bind",
          "DELETE /subs/watch",
          "GET /credential-sets",
          "GET /credential-sets/keys",
          "PUT /credential-sets/keys",
          "POST /credential-sets/keys/revoke",
          "DELETE /credential-sets/keys",
          "POST /things/batch",
          "POST /commits",
          "PATCH ",
          "DELETE ");

  /** Every endpoint of a repository under its own name. */
  static final List<String> CONTENT_ENDPOINTS =
      List.of(
          "GET /readme.md",
          "GET /readme.md?colour=red",
          "HEAD /readme.md",
          "OPTIONS /readme.md",
          "GET /agents.md",
          "GET /llms.txt");

  /** Every endpoint of an organization. */
  static final List<String> ORGANIZATION_ENDPOINTS =
      List.of(
          "GET ",
          "GET ?colour=red",
          "GET /repos",
          "GET /members",
          "GET /audit",
          "GET /credential-sets",
          "GET /credential-sets/keys",
          "PUT /credential-sets/keys",
          "POST /credential-sets/keys/revoke",
          "DELETE /credential-sets/keys",
          "PATCH ",
          "POST /repos",
          "PUT /members/x%40example.org",
          "DELETE /members/x%40example.org");

  @Inject Accounts accounts;

  static Response send(RequestSpecification request, String endpoint, String repository) {
    var parts = endpoint.split(" ", -1);
    return request
        .body("{\"nonsense\":1}")
        .request(Method.valueOf(parts[0]), repository + parts[1]);
  }

  /**
   * All that a caller sees of an answer, with the name that the path had taken out, and the tag
   * that follows from the path. That the tag tells of nothing hidden is ConditionalReadTest's to
   * show.
   */
  static String seen(Response response, String name) {
    return (response.statusLine()
            + response.getHeaders().asList().stream()
                .map(Object::toString)
                .map(header -> header.replaceAll("(?i)^(etag)=.*", "$1"))
                .filter(header -> !header.startsWith("content-length"))
                .sorted()
                .toList()
            + response.asString())
        .replace(name, "NAME");
  }

  private static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  private static String commit(String shape) {
    return ("{'operations':[" + SHAPE.formatted(shape) + "]}").replace('\'', '"');
  }

  /** That the path does not exist, for methods that something behind it would have. */
  private static void assertUnknown(Response response, String endpoint) {
    if (endpoint.equals("PUT /commits")) {
      assertCode(response, 405, "METHOD_NOT_ALLOWED");
      return;
    }
    switch (endpoint.substring(0, endpoint.indexOf(' '))) {
      case "OPTIONS" -> assertEquals(200, response.statusCode());
      case "HEAD" -> assertEquals(404, response.statusCode());
      default -> assertCode(response, 404, "NOT_FOUND");
    }
  }

  private static void assertCode(Response response, int status, String code) {
    assertEquals(status + " " + code, response.statusCode() + " " + response.path("code"));
  }

  @Test
  void a_private_repository_looks_like_none_to_strangers() {
    var hidden = Api.newRepository("private");
    var stranger = People.stranger(accounts);
    List<Supplier<RequestSpecification>> callers =
        List.of(Api::anonymous, () -> as(stranger.token()));
    var others =
        List.of("/" + org(hidden) + "/nope", "/" + Api.unique("none") + "/repo", "/demo/nope");
    for (var caller : callers) {
      for (var endpoint : ENDPOINTS) {
        assertAlike(caller, endpoint, "/api/repos", hidden.substring(10), others);
      }
      for (var endpoint : CONTENT_ENDPOINTS) {
        assertAlike(caller, endpoint, "", hidden.substring(10), others);
      }
    }
    admin().get(hidden).then().statusCode(200).body("repoSeq", is(0));
  }

  /**
   * That what is hidden cannot be told from what is not there.
   *
   * @param hidden as {@code /org/repo}, behind what the path begins with
   */
  private static void assertAlike(
      Supplier<RequestSpecification> caller,
      String endpoint,
      String prefix,
      String hidden,
      List<String> others) {
    var ofHidden = send(caller.get(), endpoint, prefix + hidden);
    assertUnknown(ofHidden, endpoint);
    for (var other : others) {
      assertEquals(
          seen(ofHidden, hidden.substring(1)),
          seen(send(caller.get(), endpoint, prefix + other), other.substring(1)),
          endpoint);
    }
  }

  @Test
  void a_repository_answers_the_same_bytes_before_it_exists_and_while_it_is_private() {
    var org = Api.newOrg();
    var repository = "/api/repos/" + org + "/secret";
    var before = ENDPOINTS.stream().map(e -> send(anonymous(), e, repository).asString()).toList();
    admin()
        .body(Map.of("name", "secret"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    var after = ENDPOINTS.stream().map(e -> send(anonymous(), e, repository).asString()).toList();
    assertEquals(before, after);
  }

  @Test
  void an_organization_without_public_repositories_looks_like_none() {
    var hidden = org(Api.newRepository("private"));
    var none = Api.unique("none");
    var stranger = People.stranger(accounts);
    for (var endpoint : ORGANIZATION_ENDPOINTS) {
      for (Supplier<RequestSpecification> caller :
          List.<Supplier<RequestSpecification>>of(Api::anonymous, () -> as(stranger.token()))) {
        var ofHidden = send(caller.get(), endpoint, "/api/orgs/" + hidden);
        assertCode(ofHidden, 404, "NOT_FOUND");
        assertEquals(
            seen(ofHidden, hidden),
            seen(send(caller.get(), endpoint, "/api/orgs/" + none), none),
            endpoint);
      }
    }
  }

  @Test
  void outsiders_see_the_public_side_of_an_organization() {
    var org = org(Api.newRepository("public"));
    var stranger = People.stranger(accounts);
    admin()
        .body(Map.of("name", "hidden"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    for (var outsider : List.of(anonymous(), as(stranger.token()))) {
      outsider.get("/api/orgs/" + org).then().statusCode(200).body("name", is(org));
      outsider.get("/api/orgs/" + org + "/repos").then().body("items.name", contains("repo"));
    }
    admin()
        .get("/api/orgs/" + org + "/repos")
        .then()
        .body("items.name", contains("hidden", "repo"));
    assertCode(anonymous().get("/api/orgs/" + org + "/members"), 401, "UNAUTHENTICATED");
    assertCode(as(stranger.token()).get("/api/orgs/" + org + "/members"), 403, "FORBIDDEN");
  }

  @Test
  void anonymous_writes_to_a_public_repository_are_401_and_a_strangers_403() {
    var repository = Api.newRepository("public");
    var stranger = People.stranger(accounts);
    for (var endpoint : List.of("POST /commits", "PATCH ", "DELETE ", "GET /verification")) {
      var nobody = send(anonymous(), endpoint, repository);
      assertCode(nobody, 401, "UNAUTHENTICATED");
      assertEquals("Bearer", nobody.getHeader("WWW-Authenticate"));
      assertCode(send(as(stranger.token()), endpoint, repository), 403, "FORBIDDEN");
    }
    admin().get(repository).then().body("repoSeq", is(0));
    as(stranger.token()).get(repository + "/head").then().statusCode(200);
  }

  @Test
  void roles_are_cumulative() {
    var repository = Api.newRepository("private");
    var org = "/api/orgs/" + org(repository);
    var roles = List.of("viewer", "editor", "admin", "owner");
    for (int rank = 0; rank < 4; rank++) {
      var name = "By" + roles.get(rank);
      var token = People.member(accounts, org(repository), roles.get(rank)).token();
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
    var editor = People.member(accounts, org, "editor");
    var admin = People.member(accounts, org, "admin");
    Api.commit(repository, SHAPE.formatted("A")).statusCode(201);
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
    var person = People.stranger(accounts);
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
    var viewer = People.member(accounts, org(repository), "viewer").token();
    var stranger = People.stranger(accounts).token();
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
    Api.commit(repository, SHAPE.formatted("A")).statusCode(201);
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
    var person = People.member(accounts, org, "viewer");
    as(person.token())
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("authenticated", is(true))
        .body("kind", is("jwt"))
        .body("account", is(Map.of("email", person.email(), "displayName", "Person")))
        .body("orgs", contains(Map.of("name", org, "role", "viewer")));
    as(People.stranger(accounts).token()).get("/api/whoami").then().body("orgs", empty());
  }
}

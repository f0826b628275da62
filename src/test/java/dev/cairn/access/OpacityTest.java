package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.Method;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Access: what outsiders learn, what members may do, and the order of the checks. */
@HttpTest
@QuarkusTest
class OpacityTest {
  static final String SHAPE = "{'operation':'add','kind':'shape','name':'%s','data':{'fields':{}}}";

  /** Every endpoint of a repository: the method, and the path after the repository's. */
  static final List<String> ENDPOINTS =
      List.of(
          "GET ",
          "GET /head",
          "GET /head?colour=red",
          "GET /head?cursor=x",
          "GET /head?waitFor=x",
          "POST /live/tickets",
          "POST /streams/s/submissions",
          "HEAD /head",
          "GET /query",
          "GET /search?q=a",
          "GET /count",
          "GET /things/Sensor%2Fa",
          "GET /things/Sensor%2Fa?version=x",
          "GET /about/Sensor%2Fa",
          "GET /about",
          "GET /about?wref=Sensor/a&wref=Sensor/b",
          "GET /query?fields=.",
          "GET /query?missing=x",
          "GET /query?about=Sensor/a&about=**",
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
          "GET /components",
          "GET /components?colour=red",
          "POST /components",
          "POST /components/01890000-0000-7000-8000-000000000000/doctor",
          "POST /components/nonsense/doctor",
          "POST /components/01890000-0000-7000-8000-000000000000/teardown",
          "POST /components/01890000-0000-7000-8000-000000000000/token",
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

  static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  static String commit(String shape) {
    return ("{'operations':[" + SHAPE.formatted(shape) + "]}").replace('\'', '"');
  }

  /** That the path does not exist, for methods that something beneath it would have. */
  static void assertUnknown(Response response, String endpoint) {
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

  static void assertCode(Response response, int status, String code) {
    assertEquals(status + " " + code, response.statusCode() + " " + response.path("code"));
  }

  @Test
  void a_private_repository_looks_like_none_to_strangers() {
    var hidden = Api.newRepository("private");
    var stranger = People.stranger();
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
   * @param hidden as {@code /org/repo}, after what the path begins with
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
    var stranger = People.stranger();
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
    var stranger = People.stranger();
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
    var stranger = People.stranger();
    for (var endpoint : List.of("POST /commits", "PATCH ", "DELETE ", "GET /verification")) {
      var nobody = send(anonymous(), endpoint, repository);
      assertCode(nobody, 401, "UNAUTHENTICATED");
      assertEquals("Bearer", nobody.getHeader("WWW-Authenticate"));
      assertCode(send(as(stranger.token()), endpoint, repository), 403, "FORBIDDEN");
    }
    admin().get(repository).then().body("repoSeq", is(0));
    as(stranger.token()).get(repository + "/head").then().statusCode(200);
  }
}

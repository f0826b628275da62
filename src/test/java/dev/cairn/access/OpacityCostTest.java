package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.access.OpacityTest.CONTENT_ENDPOINTS;
import static dev.cairn.access.OpacityTest.ENDPOINTS;
import static dev.cairn.access.OpacityTest.ORGANIZATION_ENDPOINTS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Statements;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Access: what is hidden gets the answer of what does not exist, by as many statements. Equal time
 * is not promised.
 */
@HttpTest
@QuarkusTest
@Tag("long")
class OpacityCostTest {
  private static final String REPOSITORY = "/api/repos/{org}/{repo}";
  private static final String CONTENT = "/{org}/{repo}";
  private static final String ORGANIZATION = "/api/orgs/{org}";
  private static final int ATTEMPTS = 3;

  private List<Supplier<RequestSpecification>> outsiders;
  private String strangersToken;

  /** As of the end of the last request. It is asked for once between two, since that takes long. */
  private int sent;

  @BeforeEach
  void outsiders() {
    strangersToken = People.stranger().token();
    var pat = People.pat(strangersToken, null);
    var scoped = People.pat(strangersToken, "{'permissions':['repo:read','repo:write']}");
    outsiders = List.of(Api::anonymous, () -> as(strangersToken), () -> as(pat), () -> as(scoped));
    // What is read once and kept is not part of a request's price.
    outsiders.forEach(caller -> caller.get().get("/api/whoami").then().statusCode(200));
  }

  /** All that an outsider can see or measure of an answer, with the name taken out. */
  private String observed(Supplier<Response> request, String name) {
    int before = sent;
    var answer = OpacityTest.seen(request.get(), name);
    sent = Statements.sent();
    return "%d statements, %s".formatted(sent - before, answer);
  }

  /** What the service does by itself at the same time counts too, so a difference has to last. */
  private void assertAlike(
      String what, List<String> names, Function<String, Supplier<Response>> requests) {
    sent = Statements.sent();
    for (int attempt = 1; ; attempt++) {
      if (attempt > 1) {
        sent = Statements.sentInSilence();
      }
      var observed = names.stream().map(name -> observed(requests.apply(name), name)).toList();
      if (attempt == ATTEMPTS || observed.stream().distinct().count() == 1) {
        assertEquals(List.of(observed.getFirst()), observed.stream().distinct().toList(), what);
        return;
      }
    }
  }

  @Test
  void a_private_repository_takes_as_many_statements_as_one_that_does_not_exist() {
    var hidden = hiddenRepository();
    var org = hidden.substring(0, hidden.indexOf('/'));
    var names = List.of(hidden, org + "/nope", Api.unique("none") + "/repo", "demo/nope");
    for (var caller : outsiders) {
      for (var endpoint : ENDPOINTS) {
        assertAlike(
            endpoint,
            names,
            name -> () -> OpacityTest.send(caller.get(), endpoint, "/api/repos/" + name));
      }
      for (var endpoint : CONTENT_ENDPOINTS) {
        assertAlike(
            endpoint, names, name -> () -> OpacityTest.send(caller.get(), endpoint, "/" + name));
      }
    }
  }

  @Test
  void a_hidden_organization_takes_as_many_statements_as_one_that_does_not_exist() {
    var hidden = hiddenRepository();
    var names = List.of(hidden.substring(0, hidden.indexOf('/')), Api.unique("none"));
    for (var caller : outsiders) {
      for (var endpoint : ORGANIZATION_ENDPOINTS) {
        assertAlike(
            endpoint,
            names,
            name -> () -> OpacityTest.send(caller.get(), endpoint, "/api/orgs/" + name));
      }
    }
  }

  @Test
  void naming_a_private_repository_in_a_scope_is_like_naming_one_that_does_not_exist() {
    var hidden = hiddenRepository();
    for (var names :
        List.of(
            List.of(hidden, Api.unique("none") + "/repo", "demo/nope"),
            List.of(hidden.substring(0, hidden.indexOf('/')), Api.unique("none")))) {
      assertAlike(
          "a scope",
          names,
          name ->
              () ->
                  as(strangersToken)
                      .body(
                          Map.of(
                              "name",
                              "token",
                              "scopes",
                              List.of(
                                  Map.of("resource", name, "permissions", List.of("repo:read")))))
                      .post("/api/pats"));
    }
  }

  @Test
  void referring_to_a_private_repository_is_like_referring_to_one_that_does_not_exist() {
    var names = List.of(hiddenRepository(), Api.unique("none") + "/repo", "demo/nope");
    var own = ownRepository();
    for (var caller : outsiders) {
      for (var query : List.of("/query?about=cairn:%s/S/a", "/history?about=cairn:%s/S/a")) {
        assertAlike(
            query,
            names,
            name -> () -> caller.get().get("/api/repos/demo/world" + query.formatted(name)));
      }
    }
    for (var operation :
        List.of(
            "{'operation':'add','name':'S/x','data':{'to':'cairn:%s/S/a'}}",
            "{'operation':'add','name':'S/x','about':'cairn:%s/S/a','data':{}}",
            "{'operation':'add','name':'Set/x','members':['cairn:%s/S/a']}",
            "{'operation':'add','name':'S/x','about':{'set':['cairn:%s/S/a']},'data':{}}")) {
      var body = ("{'operations':[" + operation + "]}").replace('\'', '"');
      assertAlike(
          operation,
          names,
          name -> () -> as(strangersToken).body(body.replace("%s", name)).post(own + "/commits"));
    }
  }

  /** Answers its name, {@code org/repo}; it holds {@code S/a}. */
  private static String hiddenRepository() {
    var repository = Api.newRepository("private");
    Prepared.commit(repository, shape() + ",{'operation':'add','name':'S/a','data':{}}");
    return repository.substring("/api/repos/".length());
  }

  private String ownRepository() {
    var org = Api.unique("own");
    as(strangersToken).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    var repository = Map.of("name", "repo");
    as(strangersToken).body(repository).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    var path = "/api/repos/" + org + "/repo";
    var body = ("{'operations':[" + shape() + "]}").replace('\'', '"');
    as(strangersToken).body(body).post(path + "/commits").then().statusCode(201);
    return path;
  }

  private static String shape() {
    return "{'operation':'add','kind':'shape','name':'S','data':{'fields':{'to?':'wref'}}}";
  }

  @Test
  void every_route_of_repositories_and_organizations_is_compared() {
    assertEquals(List.of(), uncompared(REPOSITORY, ENDPOINTS));
    assertEquals(List.of(), uncompared(CONTENT, CONTENT_ENDPOINTS));
    assertEquals(List.of(), uncompared(ORGANIZATION, ORGANIZATION_ENDPOINTS));
    admin().get("/api/whoami").then().statusCode(200);
  }

  /** The routes under {@code prefix} that no endpoint of the list takes. */
  private static List<String> uncompared(String prefix, List<String> endpoints) {
    var routes = Routes.all().filter(route -> route.contains(" " + prefix)).toList();
    assertEquals(false, routes.isEmpty(), "no route found");
    return routes.stream()
        .filter(route -> endpoints.stream().noneMatch(pattern(route, prefix).asMatchPredicate()))
        .toList();
  }

  private static Pattern pattern(String route, String prefix) {
    var regex =
        route
            .replace(prefix, "")
            .replaceAll("\\{[^}:]+\\}", "[^/?]+")
            .replaceAll("\\{[^}:]+: *\\\\G([^}]+)\\}", "$1");
    return Pattern.compile(regex + "(\\?.*)?");
  }
}

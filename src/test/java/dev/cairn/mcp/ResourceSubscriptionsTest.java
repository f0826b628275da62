package dev.cairn.mcp;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.mcp.Subscribed.uri;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.LiveClients;
import dev.cairn.People;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Subscriptions to resources. */
@HttpTest
@QuarkusTest
class ResourceSubscriptionsTest {
  private static final String SHAPE =
      "{'operation':'add','name':'Shape/%s','data':{'fields':{'n?':'any'}}}";

  private static final String CONTENT =
      "{'operation':'add','name':'Content/%s','data':{'content':'x'}}";

  private static final List<String> DOCUMENTS = List.of("readme.md", "agents.md", "llms.txt");

  private static void shape(String repository, String name) {
    commit(repository, SHAPE.formatted(name)).statusCode(201);
  }

  private static void add(String repository, String wref) {
    commit(repository, "{'operation':'add','name':'%s','data':{}}".formatted(wref)).statusCode(201);
  }

  private static void write(String repository, String document, String text) {
    Mcp.admin(Mcp.NEW)
        .at(repository)
        .call("repo_content_set", Map.of("document", document, "content", text))
        .body("result.isError", equalTo(false));
  }

  private static String read(String token, String uri) {
    return Mcp.of(Mcp.NEW, token).send("resources/read", Map.of("uri", uri)).extract().asString();
  }

  private static String subscribe(String token, List<String> uris) {
    return Subscribed.ask(token, uris).extract().asString();
  }

  @Test
  void each_change_of_a_text_is_told_and_nothing_else() {
    var repository = newRepository("private");
    shape(repository, "S");
    var readme = uri(repository, "readme.md");
    var agents = uri(repository, "agents.md");
    try (var subscribed = Subscribed.to(adminToken(), readme, agents)) {
      write(repository, "readme.md", "# One");
      subscribed.isTold(readme);
      add(repository, "S/a");
      commit(repository, CONTENT.formatted("Other")).statusCode(201);
      write(repository, "agents.md", "# Do");
      subscribed.isTold(agents);
      commit(repository, "{'operation':'rename','name':'Content/Readme','newName':'Content/Old'}");
      subscribed.isTold(readme);
      write(repository, "readme.md", "# Two");
      subscribed.isTold(readme);
    }
  }

  @Test
  void shapes_change_with_their_definitions_and_the_summary_with_every_commit() {
    var repository = newRepository("private");
    var shapes = uri(repository, "shapes");
    var summary = uri(repository, "llms.txt");
    try (var ofShapes = Subscribed.to(adminToken(), shapes);
        var ofSummary = Subscribed.to(adminToken(), summary)) {
      shape(repository, "S");
      ofShapes.isTold(shapes);
      ofSummary.isTold(summary);
      add(repository, "S/a");
      ofSummary.isTold(summary);
      commit(repository, "{'operation':'rename','name':'Shape/S','newName':'Shape/T'}");
      ofShapes.isTold(shapes);
      ofSummary.isTold(summary);
    }
  }

  @Test
  void a_change_among_many_is_told_too() {
    var repository = newRepository("private");
    shape(repository, "S");
    var readme = uri(repository, "readme.md");
    var agents = uri(repository, "agents.md");
    try (var subscribed = Subscribed.to(adminToken(), readme, agents)) {
      commit(repository, adds(0)).statusCode(201);
      commit(repository, adds(1) + "," + CONTENT.formatted("Agents")).statusCode(201);
      subscribed.isTold(agents);
      commit(repository, adds(2) + "," + CONTENT.formatted("Readme")).statusCode(201);
      subscribed.isTold(readme);
    }
  }

  /** More entities than a commit has names that are told. */
  private static String adds(int batch) {
    return IntStream.range(0, 250)
        .mapToObj(i -> "{'operation':'add','name':'S/%d-%d','data':{}}".formatted(batch, i))
        .collect(Collectors.joining(","));
  }

  @Test
  void resources_of_several_repositories_are_told_on_one_stream() {
    var first = newRepository("private");
    var second = newRepository("private");
    var ofFirst = uri(first, "shapes");
    var ofSecond = uri(second, "shapes");
    try (var subscribed = Subscribed.to(adminToken(), ofFirst, ofSecond)) {
      shape(second, "S");
      subscribed.isTold(ofSecond);
      shape(first, "S");
      subscribed.isTold(ofFirst);
    }
  }

  @Test
  void a_uri_is_told_as_the_client_wrote_it_and_once() {
    var repository = newRepository("private");
    var uri = uri(repository, "shapes");
    var upper = uri.replace("/repo/", "/REPO/");
    var params = Subscribed.params(List.of(upper, uri, upper));
    try (var subscribed = Subscribed.open(adminToken(), 7, params)) {
      assertEquals(List.of(upper, uri), subscribed.acknowledged());
      shape(repository, "S");
      subscribed.isTold(upper);
      subscribed.isTold(uri);
      shape(repository, "T");
      subscribed.isTold(upper);
    }
  }

  @Test
  void what_is_public_is_subscribed_to_without_credentials_until_it_is_private() {
    var repository = newRepository();
    var uri = uri(repository, "shapes");
    try (var subscribed = Subscribed.to(null, uri)) {
      shape(repository, "S");
      subscribed.isTold(uri);
      admin().body(Map.of("visibility", "private")).patch(repository).then().statusCode(200);
      subscribed.ends();
    }
    for (var refused : List.of(uri, uri("/api/repos/no/none", "shapes"))) {
      Subscribed.ask(null, List.of(uri(newRepository(), "shapes"), refused))
          .statusCode(401)
          .header("WWW-Authenticate", containsString("resource_metadata"));
    }
  }

  @Test
  void changes_of_lists_are_not_told_and_a_stream_about_nothing_else_ends() {
    var wanted =
        Map.of(
            "toolsListChanged", true,
            "promptsListChanged", true,
            "resourcesListChanged", false,
            "resourceSubscriptions", List.of(),
            "taskIds", List.of("a"));
    try (var subscribed = Subscribed.open(null, 0, Map.of("notifications", wanted))) {
      assertEquals(
          "{}",
          subscribed
              .notification("notifications/subscriptions/acknowledged")
              .get("notifications")
              .toString());
      subscribed.ends();
    }
  }

  @Test
  void what_is_hidden_or_not_there_is_answered_as_a_read_of_it() {
    var stranger = People.stranger().token();
    var hidden = newRepository("private");
    for (var token : List.of(stranger, adminToken())) {
      var missing = uri("/api/repos/" + Api.unique("none") + "/repo", "shapes");
      for (var uri : List.of(missing, uri(hidden, "else"), "test://nothing", "")) {
        assertEquals(read(token, uri), subscribe(token, List.of(uri)), uri);
      }
    }
    for (var name : Stream.concat(DOCUMENTS.stream(), Stream.of("shapes")).toList()) {
      var ofHidden = uri(hidden, name);
      var ofMissing = uri("/api/repos/" + Api.unique("none") + "/repo", name);
      var answer = subscribe(stranger, List.of(ofHidden));
      assertTrue(answer.contains("\"NOT_FOUND\""), answer);
      assertEquals(read(stranger, ofHidden), answer);
      assertEquals(
          subscribe(stranger, List.of(ofMissing)).replace(org(ofMissing), "ORG"),
          answer.replace(org(ofHidden), "ORG"));
    }
    // One that may be read does not help another one.
    var open = uri(newRepository(), "shapes");
    var answer = subscribe(stranger, List.of(open, uri(hidden, "shapes")));
    assertTrue(answer.contains("\"NOT_FOUND\""), answer);
  }

  private static String org(String uri) {
    return uri.split("/", -1)[2];
  }

  @Test
  void a_narrowed_token_is_told_of_what_it_may_read() {
    var repository = newRepository("private");
    var narrowed = People.narrowedPat(repository, "repo:read", "Shape/Seen", "Seen/**");
    for (var document : DOCUMENTS) {
      var uri = uri(repository, document);
      var answer = subscribe(narrowed, List.of(uri));
      assertTrue(answer.contains("\"FORBIDDEN\""), answer);
      assertEquals(read(narrowed, uri), answer);
    }
    var shapes = uri(repository, "shapes");
    var other = newRepository();
    var ofOther = uri(other, "shapes");
    try (var subscribed = Subscribed.to(narrowed, shapes, ofOther);
        var ofAll = Subscribed.to(adminToken(), shapes)) {
      shape(repository, "Hidden");
      ofAll.isTold(shapes);
      shape(other, "S");
      subscribed.isTold(ofOther);
      shape(repository, "Seen");
      subscribed.isTold(shapes);
    }
    var writes = People.narrowedPat(repository, "repo:write");
    assertEquals(read(writes, shapes), subscribe(writes, List.of(shapes)));
  }

  @Test
  void a_revoked_token_hears_of_no_commit_that_is_made_a_second_later() {
    var repository = newRepository("private");
    var uri = uri(repository, "shapes");
    var name = Api.unique("revoked");
    String pat =
        admin().body(Map.of("name", name)).post("/api/pats").then().extract().path("token");
    try (var subscribed = Subscribed.to(pat, uri)) {
      shape(repository, "Before");
      subscribed.isTold(uri);
      admin().delete("/api/pats/" + name).then().statusCode(200);
      OwnConnections.database().list("select pg_sleep(1)", _ -> true);
      shape(repository, "After");
      subscribed.ends();
    }
    Subscribed.ask(pat, List.of(uri)).statusCode(401);
  }

  @Test
  void a_member_who_leaves_hears_nothing_more() {
    var repository = newRepository("private");
    var org = repository.split("/", -1)[3];
    var member = People.member(org, "viewer");
    var other = uri(newRepository(), "shapes");
    try (var subscribed = Subscribed.to(member.token(), other, uri(repository, "readme.md"))) {
      as(member.token())
          .delete("/api/orgs/" + org + "/members/" + member.inPath())
          .then()
          .statusCode(200);
      subscribed.ends();
    }
  }

  @Test
  void a_request_names_up_to_100_uris_of_20_repositories() {
    var uris = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      var repository = newRepository("private");
      for (var name : Stream.concat(DOCUMENTS.stream(), Stream.of("shapes")).toList()) {
        uris.add(uri(repository, name));
      }
      uris.add(uri(repository, "shapes").replace("/repo/", "/Repo/"));
    }
    Subscribed.to(adminToken(), uris.toArray(String[]::new)).close();
    var another = uri(newRepository("private"), "shapes");
    refused(subscribe(adminToken(), append(uris.subList(0, 99), another)), "20 repositories");
    refused(subscribe(adminToken(), append(uris, uris.getFirst())), "at most 100 URIs");
  }

  private static List<String> append(List<String> uris, String another) {
    return Stream.concat(uris.stream(), Stream.of(another)).toList();
  }

  private static void refused(String answer, String why) {
    assertTrue(answer.contains("\"code\":-32602"), answer);
    assertTrue(answer.contains(why), answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'notifications':[]}",
        "{'notifications':{'toolsListChanged':'yes'}}",
        "{'notifications':{'promptsListChanged':null}}",
        "{'notifications':{'resourcesListChanged':1}}",
        "{'notifications':{'resourceSubscriptions':'cairn://demo/world/shapes'}}",
        "{'notifications':{'resourceSubscriptions':[1]}}"
      })
  void parameters_of_another_type_are_refused(String params) {
    Mcp.admin(Mcp.NEW)
        .send(Subscribed.METHOD, JsonPath.from(params.replace('\'', '"')).getMap(""))
        .statusCode(200)
        .body("error.code", equalTo(-32_602))
        .body("error.message", containsString("notifications"));
  }

  @Test
  void the_older_revisions_have_no_such_method() {
    Mcp.admin(Mcp.OLD)
        .send(Subscribed.METHOD, Subscribed.params(List.of()))
        .body("error.code", equalTo(-32_601));
  }

  @Test
  void a_subscription_is_a_client_that_follows_until_it_closes_the_stream() {
    var uri = uri(newRepository("private"), "shapes");
    double before = LiveClients.count();
    var subscribed = IntStream.range(0, 5).mapToObj(_ -> Subscribed.to(adminToken(), uri)).toList();
    assertTrue(LiveClients.count() >= before + 5, () -> "clients: " + LiveClients.count());
    subscribed.forEach(Subscribed::close);
    Eventually.await("they are forgotten", () -> LiveClients.count() < before + 5);
  }

  @Test
  void a_stream_does_not_keep_the_memory_of_its_request() {
    var repository = newRepository("private");
    var person = People.member(repository.split("/", -1)[3], "viewer");
    var uri = uri(repository, "shapes");
    // All of them together are more than the share that one account has for such messages.
    var params = Map.of("notifications", params(uri), "padding", "x".repeat(900_000));
    var subscribed =
        IntStream.range(0, 12)
            .mapToObj(
                i -> {
                  var each = Subscribed.open(person.token(), i, params);
                  assertEquals(List.of(uri), each.acknowledged());
                  return each;
                })
            .toList();
    shape(repository, "S");
    for (var each : subscribed) {
      each.isTold(uri);
      each.close();
    }
  }

  private static Object params(String uri) {
    return Subscribed.params(List.of(uri)).get("notifications");
  }
}

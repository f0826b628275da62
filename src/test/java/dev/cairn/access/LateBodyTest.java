package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Wire;
import dev.cairn.access.token.InstalledComponent;
import dev.cairn.access.token.Sprites;
import dev.cairn.action.SampleRuns;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.platform.http.Gzip;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Access: a body that arrives after its head is judged by the rights at the time when it is
 * complete.
 */
@HttpTest
@QuarkusTest
class LateBodyTest {
  /** Less is taken as having arrived with the head. */
  private static final long LATE_MILLIS = 1_100;

  private static final String BATCH = "{'wrefs':['Note/a']}";
  private static final String TOOL =
      "{'jsonrpc':'2.0','id':7,'method':'tools/call','params':{'name':'%s','arguments':%s}}";

  private static final String COMMIT =
      "{'operations':[{'operation':'add','kind':'thing','name':'Note/%s','data':{}}]}";

  private static final String GZIP = "Content-Encoding: gzip";

  private final List<Late> requests = new ArrayList<>();

  private String repository;
  private People.Person member;

  /** A request whose head was accepted and half of whose body was sent. */
  private record Late(Wire wire, byte[] body) {
    Wire.Answer complete() throws IOException {
      int half = body.length / 2;
      wire.send(body, half, body.length - half);
      return wire.answer();
    }
  }

  @BeforeEach
  void content() {
    repository = Api.newRepository("private");
    Prepared.commit(
        repository,
        "{'operation':'add','kind':'shape','name':'Note','data':{'fields':{}}},"
            + "{'operation':'add','kind':'thing','name':'Note/a','data':{}}");
    member = People.member(org(), "admin");
  }

  @AfterEach
  void close() {
    requests.forEach(late -> late.wire().close());
    requests.clear();
  }

  private String org() {
    return repository.split("/", -1)[3];
  }

  /**
   * Sends the head, waits until the body is asked for, and sends half of it. In {@code body}, '
   * stands for ".
   */
  private void begin(String token, String path, String body) throws IOException {
    begin(
        token,
        path,
        body.replace('\'', '"').getBytes(UTF_8),
        "Accept: application/json, text/event-stream",
        "MCP-Protocol-Version: 2025-11-25");
  }

  private void begin(String token, String path, byte[] body, String... headers) throws IOException {
    var wire = new Wire(RestAssured.port, token);
    var late = new Late(wire, body);
    requests.add(late);
    wire.head(
        "POST",
        path,
        body.length,
        Stream.concat(Stream.of("Expect: 100-continue"), Stream.of(headers))
            .toArray(String[]::new));
    assertEquals(100, wire.answer().status(), path);
    wire.send(late.body(), 0, late.body().length / 2);
  }

  /** Completes all requests after a change, and checks how they are answered. */
  private void assertAnswered(int status, Runnable change) throws Exception {
    Thread.sleep(LATE_MILLIS);
    change.run();
    for (var late : requests) {
      var answer = late.complete();
      assertEquals(status, answer.status(), answer.text());
    }
  }

  @Test
  void without_credentials_nobody_reads_what_became_private_meanwhile() throws Exception {
    visibility("public");
    begin(null, repository + "/things/batch", BATCH);
    assertAnswered(404, () -> visibility("private"));
  }

  private void visibility(String visibility) {
    admin().body(Map.of("visibility", visibility)).patch(repository).then().statusCode(200);
  }

  @Test
  void a_removed_member_finds_nothing() throws Exception {
    var runs = new SampleRuns(repository, "Note");
    runs.failed();
    var run = runs.accepted("0123456789abcdef");
    var token = People.pat(member.token(), null);
    begin(token, repository + "/things/batch", BATCH);
    begin(member.token(), repository + "/things/batch", BATCH);
    begin(member.token(), repository + "/subs/runs/recover", "{'since':0}");
    begin(member.token(), "/api/action-runs/" + run + "/callback", "{'status':'failed'}");
    // Refused for what they ask, these would tell what there is.
    begin(member.token(), repository + "/commits", "{'operations':[{'operation':'revise'}]}");
    begin(member.token(), repository + "/subs", "{'name':'s','kind':'webhook','shapeName':'N'}");
    begin(member.token(), "/api/orgs/" + org() + "/repos", "{'name':'??'}");
    var path = "/api/orgs/" + org() + "/members/" + member.inPath();
    assertAnswered(404, () -> admin().delete(path).then().statusCode(200));
  }

  @Test
  void a_token_that_was_revoked_or_has_expired_is_unauthenticated() throws Exception {
    var revoked =
        as(member.token())
            .body(Map.of("name", "revoked"))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .<String>path("token");
    var expired = People.pat(member.token(), null);
    for (var token : List.of(revoked, expired)) {
      begin(token, repository + "/things/batch", BATCH);
      begin(token, "/api/orgs", "{'name':'%s'}".formatted(Api.unique("org")));
      begin(token, "/mcp", TOOL.formatted("org_list", "{}"));
      begin(token, "/mcp", TOOL.formatted("org_create", "{'name':'" + Api.unique("org") + "'}"));
    }
    assertAnswered(
        401,
        () -> {
          as(member.token()).delete("/api/pats/revoked").then().statusCode(200);
          OwnConnections.database()
              .update(
                  """
                  update personal_access_token set expires_at = now()
                  where name <> 'revoked'
                    and account_id = (select id from account where email = ?)
                  """,
                  member.email());
        });
  }

  @Test
  void the_token_of_an_ended_session_is_unauthenticated() throws Exception {
    var tokens = Api.login(member.email(), People.PASSWORD).statusCode(200).extract();
    var token = tokens.<String>path("accessToken");
    begin(token, repository + "/things/batch", BATCH);
    begin(token, "/api/orgs", "{'name':'%s'}".formatted(Api.unique("org")));
    begin(token, "/mcp", TOOL.formatted("org_list", "{}"));
    assertAnswered(
        401,
        () ->
            anonymous()
                .body(Map.of("refreshToken", tokens.<String>path("refreshToken")))
                .post("/api/auth/logout")
                .then()
                .statusCode(200));
  }

  @Test
  void a_service_token_whose_subscription_was_deleted_is_unauthenticated() throws Exception {
    var sprite = new Sprites(repository);
    var token = sprite.token(member.email(), "[{'permissions':['repo:read']}]").orElseThrow();
    begin(token, repository + "/things/batch", BATCH);
    assertAnswered(401, sprite::deleteSubscription);
  }

  @Test
  void a_component_token_that_was_rotated_is_unauthenticated() throws Exception {
    var component = new InstalledComponent(repository);
    begin(component.token(member.email()), repository + "/things/batch", BATCH);
    assertAnswered(401, () -> component.token(member.email()));
  }

  @Test
  void a_component_is_called_as_it_is_registered_when_the_body_is_complete() throws Exception {
    var owner = Api.newOrg();
    var path = "/api/component-registry/" + owner + "/late";
    register(path, "1.0.0", "public").statusCode(201);
    var repo = repository.substring("/api/repos/".length());
    var resolved =
        admin().body(Map.of("installRepo", repo)).post(path + "/resolve").then().extract();
    begin(
        member.token(),
        path + "/setup-call",
        "{'installRepo':'%s','installId':'%s','expectedManifestHash':'%s'}"
            .formatted(repo, resolved.path("installId"), resolved.path("manifestHash")));
    assertAnswered(409, () -> register(path, "1.1.0", "public").statusCode(200));
    requests.clear();
    begin(member.token(), path + "/cli/find", "{'installRepo':'%s'}".formatted(repo));
    assertAnswered(404, () -> register(path, "1.1.0", "private").statusCode(200));
  }

  private static ValidatableResponse register(String path, String version, String visibility) {
    var manifest = Map.of("component", Map.of("id", "late", "name", "Late", "version", version));
    return admin().body(Map.of("manifest", manifest, "visibility", visibility)).put(path).then();
  }

  @Test
  void a_caller_that_kept_the_right_is_answered() throws Exception {
    begin(member.token(), repository + "/things/batch", BATCH);
    begin(member.token(), "/mcp", TOOL.formatted("org_list", "{}"));
    assertAnswered(200, () -> {});
  }

  private static byte[] compressedCommit(String name) {
    return Gzip.compress(COMMIT.formatted(name).replace('\'', '"').getBytes(UTF_8));
  }

  @Test
  void a_caller_that_kept_the_right_has_its_commit_read_once_although_the_right_is_decided_again()
      throws Exception {
    var commits = repository + "/commits";
    // From now on the access is remembered, and the change makes that outdated.
    as(member.token())
        .body(COMMIT.formatted("b").replace('\'', '"'))
        .post(commits)
        .then()
        .statusCode(201);
    begin(member.token(), commits, COMMIT.formatted("c"));
    begin(member.token(), commits, compressedCommit("d"), GZIP);
    assertAnswered(201, () -> role("editor"));
    close();

    var broken = compressedCommit("e");
    broken[broken.length - 5] ^= 1;
    begin(member.token(), commits, "{'operations':");
    begin(member.token(), commits, broken, GZIP);
    assertAnswered(400, () -> role("admin"));
    close();

    begin(member.token(), commits, broken, GZIP);
    assertAnswered(403, () -> role("viewer"));
  }

  private void role(String role) {
    admin()
        .body(Map.of("role", role))
        .put("/api/orgs/" + org() + "/members/" + member.inPath())
        .then()
        .statusCode(200);
  }

  @Test
  void a_stranger_is_refused_before_the_body_is_asked_for() throws Exception {
    try (var wire = new Wire(RestAssured.port, People.stranger().token())) {
      wire.head("POST", repository + "/things/batch", BATCH.length(), "Expect: 100-continue");
      var answer = wire.answer();
      assertEquals(404, answer.status());
      assertTrue(answer.text().contains("NOT_FOUND"), answer.text());
    }
  }
}

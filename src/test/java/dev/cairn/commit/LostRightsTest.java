package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.access.token.InstalledComponent;
import dev.cairn.access.token.Sprites;
import dev.cairn.model.ErrorCode;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ExtractableResponse;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits: one that waits ends with the right to make it; {@code docs/commits.md}, Errors. */
@HttpTest
@QuarkusTest
class LostRightsTest {
  private final DataSource dataSource = OwnConnections.dataSource();

  private String repository;
  private People.Person editor;

  @BeforeEach
  void content() {
    repository = Api.newRepository("private");
    applied(repository, shape("S"));
    editor = People.member(Commits.org(repository), "editor");
  }

  /** The answer to a commit during which something was done, and answered. */
  private ValidatableResponse overtaken(String token, Supplier<Response> change) throws Exception {
    return overtaken(() -> send(as(token), "'operations':[" + add("S/a", "{}") + "]"), change);
  }

  private Response send(RequestSpecification as, String members) {
    return as.body("{%s}".formatted(members).replace('\'', '"')).post(repository + "/commits");
  }

  private ValidatableResponse overtaken(Supplier<Response> request, Supplier<Response> change)
      throws Exception {
    var answer = new CompletableFuture<ValidatableResponse>();
    Commits.whileLocked(
        dataSource,
        repository,
        holder -> {
          answer.completeAsync(() -> request.get().then(), Threads.OWN);
          Waiting.awaitWaiter(holder);
          change.get().then().statusCode(200);
        });
    return answer.get(10, TimeUnit.SECONDS);
  }

  private String member() {
    return "/api/orgs/" + Commits.org(repository) + "/members/" + editor.inPath();
  }

  private void refused(String token, Supplier<Response> change, ErrorCode code) throws Exception {
    var before = state(repository);
    assertProblem(overtaken(token, change), code);
    assertEquals(before, state(repository), "nothing may change");
  }

  @Test
  void a_removed_member_finds_no_repository() throws Exception {
    refused(editor.token(), () -> admin().delete(member()), ErrorCode.NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'dryRun':true,'operations':[{'operation':'add','name':'S/a','data':{}}]",
        "'operations':[{'operation':'revise','name':'S/kept','data':{}}]",
        "'operations':[{'operation':'add','name':'S/kept','data':{}}]"
      })
  void a_removed_member_learns_nothing_from_a_commit_that_writes_nothing(String members)
      throws Exception {
    applied(repository, add("S/kept", "{}"));
    send(as(editor.token()), members).then().statusCode(not(404));
    assertProblem(
        overtaken(() -> send(as(editor.token()), members), () -> admin().delete(member())),
        ErrorCode.NOT_FOUND);
  }

  @Test
  void a_removed_member_learns_nothing_from_a_precondition() throws Exception {
    var commit = "'operations':[" + add("S/a", "{}") + "]";
    assertProblem(
        overtaken(
            () -> send(as(editor.token()).header("If-Match", "\"0\""), commit),
            () -> admin().delete(member())),
        ErrorCode.NOT_FOUND);
  }

  @Test
  void a_member_demoted_to_reader_is_forbidden() throws Exception {
    refused(
        editor.token(),
        () -> admin().body(Map.of("role", "viewer")).put(member()),
        ErrorCode.FORBIDDEN);
  }

  @Test
  void a_token_that_was_revoked_is_unauthenticated() throws Exception {
    String token =
        as(editor.token())
            .body(Map.of("name", "ci"))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .path("token");
    refused(token, () -> as(editor.token()).delete("/api/pats/ci"), ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void a_token_that_has_expired_is_unauthenticated() throws Exception {
    refused(
        People.pat(editor.token(), null),
        () -> {
          OwnConnections.database()
              .update(
                  """
                  update personal_access_token set expires_at = now()
                  where account_id = (select id from account where email = ?)
                  """,
                  editor.email());
          return admin().get(repository);
        },
        ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void a_token_whose_session_was_ended_is_unauthenticated() throws Exception {
    var tokens = Api.login(editor.email(), People.PASSWORD).statusCode(200).extract();
    refused(
        tokens.path("accessToken"),
        () ->
            anonymous()
                .body(Map.of("refreshToken", tokens.<String>path("refreshToken")))
                .post("/api/auth/logout"),
        ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void a_service_token_whose_subscription_was_deleted_is_unauthenticated() throws Exception {
    var sprite = new Sprites(repository);
    var token = sprite.token(editor.email(), "[{'permissions':['repo:write']}]").orElseThrow();
    var body = "{'operations':[" + add("S/b", "{}") + "]}";
    as(token).body(body.replace('\'', '"')).post(repository + "/commits").then().statusCode(201);
    refused(
        token,
        () -> {
          sprite.deleteSubscription();
          return admin().get(repository);
        },
        ErrorCode.UNAUTHENTICATED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rotated", "deregistered", "minting none any more"})
  void a_component_token_that_has_ended_is_unauthenticated(String end) throws Exception {
    var path = "/api/component-registry/" + Api.newOrg() + "/watch";
    var installed = install(path);
    refused(
        installed.path("token"),
        () ->
            switch (end) {
              case "rotated" ->
                  admin()
                      .post(repository + "/components/" + installed.path("installId") + "/token");
              case "deregistered" -> admin().delete(path);
              default -> register(path, false);
            },
        ErrorCode.UNAUTHENTICATED);
  }

  /** Registers a component that may do everything, and installs it. */
  private ExtractableResponse<Response> install(String path) {
    register(path, true).then().statusCode(201);
    return admin()
        .body(Map.of("component", path.split("/", -1)[3] + "/watch"))
        .post(repository + "/components")
        .then()
        .statusCode(201)
        .extract();
  }

  private static Response register(String path, boolean mintsToken) {
    var manifest =
        Map.of(
            "component",
            Map.of("id", "watch", "name", "Watch", "version", "1.0.0"),
            "runtimeAccess",
            Map.of("reads", List.of("**"), "writes", List.of("**")));
    return admin().body(Map.of("manifest", manifest, "mintsToken", mintsToken)).put(path);
  }

  @Test
  void a_component_token_is_unauthenticated_once_a_teardown_has_begun() throws Exception {
    var installed = install("/api/component-registry/" + Api.newOrg() + "/watch");
    String token = installed.path("token");
    var path = repository + "/components/" + installed.path("installId") + "/teardown";
    var teardown = new CompletableFuture<Integer>();
    assertProblem(
        overtaken(
            token,
            () -> {
              // Its last step is a commit too, which waits.
              teardown.completeAsync(() -> admin().body("{}").post(path).statusCode(), Threads.OWN);
              Eventually.await(
                  "the token has ended", () -> as(token).get("/api/whoami").statusCode() == 401);
              return admin().get(repository);
            }),
        ErrorCode.UNAUTHENTICATED);
    assertEquals(200, teardown.get(10, TimeUnit.SECONDS));
    admin().get(repository + "/things/S/a").then().statusCode(404);
  }

  @Test
  void a_component_token_that_has_expired_is_unauthenticated() throws Exception {
    var component = new InstalledComponent(repository);
    var token = component.token(editor.email());
    refused(
        token,
        () -> {
          component.expire(token);
          return admin().get(repository);
        },
        ErrorCode.UNAUTHENTICATED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"private", "public"})
  void a_component_token_of_a_removed_member_is_unauthenticated(String visibility)
      throws Exception {
    admin().body(Map.of("visibility", visibility)).patch(repository).then().statusCode(200);
    refused(
        new InstalledComponent(repository).token(editor.email()),
        () -> admin().delete(member()),
        ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void a_component_token_that_is_still_live_commits() throws Exception {
    var component = new InstalledComponent(repository);
    overtaken(
            component.token(editor.email()),
            () -> {
              component.state("installing");
              return admin().get(repository);
            })
        .statusCode(201);
  }

  @Test
  void a_member_that_still_may_write_commits() throws Exception {
    var token = People.pat(editor.token(), null);
    overtaken(token, () -> admin().body(Map.of("role", "admin")).put(member())).statusCode(201);
  }
}

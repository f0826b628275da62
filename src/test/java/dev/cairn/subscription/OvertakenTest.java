package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of subscriptions wait for commits, and end with the right to make them. */
@HttpTest
@QuarkusTest
class OvertakenTest {
  private final DataSource dataSource = OwnConnections.dataSource();

  private String repository;
  private String token;
  private People.Person editor;

  @BeforeEach
  void makeSubscription() {
    repository = Subs.privateRepository();
    subscribe(repository, webhook("w")).statusCode(201);
    editor = People.member(repository.split("/", -1)[3], "editor");
    token =
        as(editor.token())
            .body(Map.of("name", "ci"))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .path("token");
  }

  /** The answer to a request that comes to wait for a commit, during which something is done. */
  private ValidatableResponse overtaken(Supplier<Response> request, Runnable change)
      throws Exception {
    return HeldLock.during(request, change::run, HeldLock.HEAD, Api.repoId(repository)).then();
  }

  /** The editor's subscription to a repository that everybody may read. */
  private void subscribeInPublic() {
    admin().body(Map.of("visibility", "public")).patch(repository).then().statusCode(200);
    as(token)
        .body(webhook("own").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(201);
  }

  /** Each transaction alone takes nothing from the subscription, and both together do. */
  @Test
  void a_member_that_leaves_while_the_repository_becomes_private_has_no_active_subscription()
      throws Exception {
    subscribeInPublic();
    var org = repository.split("/", -1)[3];
    try (var holder = dataSource.getConnection();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      holder.setAutoCommit(false);
      // Leaving ends any invitation of the same address, after it has looked for what is lost.
      OwnConnections.database()
          .update(
              """
              insert into invitation (org_id, email, role, invited_by, created_at)
              select id, ?, 'viewer', (select id from account limit 1), now()
              from organization where name = ?
              """,
              editor.email(),
              org);
      OwnConnections.execute(
          holder, "select from invitation where email = ? for update", editor.email());
      var leaving =
          threads.submit(
              () -> as(editor.token()).delete("/api/orgs/" + org + "/members/" + editor.inPath()));
      Waiting.awaitWaiter(holder);
      var hiding =
          threads.submit(() -> admin().body(Map.of("visibility", "private")).patch(repository));
      Waiting.awaitWaitersUnless(holder, 2, hiding::isDone);
      holder.rollback();
      leaving.get(10, TimeUnit.SECONDS).then().statusCode(200);
      hiding.get(10, TimeUnit.SECONDS).then().statusCode(200);
    }
    get(repository, "own").body("active", equalTo(false));
    get(repository, "w").body("active", equalTo(true));
  }

  @Test
  void a_member_is_removed_while_a_repository_that_its_subscription_watches_is_committed_to()
      throws Exception {
    as(token)
        .body(webhook("own").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    var members = "/api/orgs/" + repository.split("/", -1)[3] + "/members/";
    try (var holder = dataSource.getConnection()) {
      holder.setAutoCommit(false);
      OwnConnections.execute(holder, HeldLock.HEAD, Api.repoId(repository));
      admin().delete(members + editor.inPath()).then().statusCode(200);
      get(repository, "own").body("active", equalTo(false));
    }
    admin().body(Map.of("role", "editor")).put(members + editor.inPath()).then().statusCode(200);
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    get(repository, "own").body("active", equalTo(false));
    admin().get(repository + "/actions/runs").then().body("subscriptionName", contains("w"));
  }

  /** Or nobody could be removed from it meanwhile. */
  @Test
  void an_organization_is_unarchived_while_a_commit_runs_and_its_subscriptions_go_on_watching()
      throws Exception {
    var org = "/api/orgs/" + repository.split("/", -1)[3];
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    admin().body(Map.of("archived", true)).patch(org).then().statusCode(200);
    try (var holder = dataSource.getConnection()) {
      holder.setAutoCommit(false);
      OwnConnections.execute(holder, HeldLock.HEAD, Api.repoId(repository));
      admin().body(Map.of("archived", false)).patch(org).then().statusCode(200);
    }
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/b','data':{}}");
    admin().get(repository + "/actions/runs").then().body("subscriptionName", contains("w", "w"));
  }

  @Test
  void a_repository_becomes_private_while_it_is_watched_and_committed_to() throws Exception {
    subscribeInPublic();
    var members = "/api/orgs/" + repository.split("/", -1)[3] + "/members/";
    admin().delete(members + editor.inPath()).then().statusCode(200);
    get(repository, "own").body("active", equalTo(true));
    try (var holder = dataSource.getConnection()) {
      holder.setAutoCommit(false);
      OwnConnections.execute(holder, HeldLock.HEAD, Api.repoId(repository));
      assertTimeout(
          Duration.ofSeconds(2),
          () ->
              admin()
                  .body(Map.of("visibility", "private"))
                  .patch(repository)
                  .then()
                  .statusCode(200));
      // While the head is still locked.
      admin().get(repository).then().statusCode(200).body("visibility", equalTo("private"));
      get(repository, "own").body("active", equalTo(false));
      get(repository, "w").body("active", equalTo(true));
    }
  }

  @Test
  void a_token_that_is_revoked_while_it_waits_for_a_credential_set_changes_nothing()
      throws Exception {
    var set = repository + "/credential-sets/k";
    admin().body("{\"keys\":{\"A\":\"x\"}}").put(set).then().statusCode(200);
    var org = repository.split("/", -1)[3];
    var before = admin().get(set).asString();
    List<Function<String, Response>> requests =
        List.of(
            pat -> as(pat).post(set + "/revoke"),
            pat -> as(pat).body(Map.of("description", "mine")).put(set),
            pat -> as(pat).delete(set));
    for (var request : requests) {
      var admin = People.member(org, "admin");
      var pat = People.pat(admin.token(), null);
      HeldLock.during(
              () -> request.apply(pat),
              () -> People.revokeTokens(admin.email()),
              "select from credential_set where repo_id = ? for update",
              Api.repoId(repository))
          .then()
          .statusCode(401);
    }
    assertEquals(before, admin().get(set).asString());
  }

  @Test
  void no_credential_set_is_changed_once_archiving_was_answered() throws Exception {
    var set = repository + "/credential-sets/k";
    admin().body("{\"keys\":{\"A\":\"x\"}}").put(set).then().statusCode(200);
    List<Supplier<Response>> requests =
        List.of(
            () -> admin().post(set + "/revoke"),
            () -> admin().body(Map.of("description", "mine")).put(set),
            () -> admin().delete(set));
    for (var request : requests) {
      HeldLock.afterChange(
              request,
              "update repository set archived_at = now() where id = ?",
              Api.repoId(repository))
          .then()
          .statusCode(409);
      admin().body(Map.of("archived", false)).patch(repository).then().statusCode(200);
    }
  }

  @Test
  void a_set_that_is_deleted_while_its_repository_is_was_not_found() throws Exception {
    var set = repository + "/credential-sets/k";
    admin().body("{\"keys\":{\"A\":\"x\"}}").put(set).then().statusCode(200);
    HeldLock.afterChange(
            () -> admin().delete(set),
            "delete from repository where id = ?",
            Api.repoId(repository))
        .then()
        .statusCode(404);
  }

  @Test
  void a_set_is_not_created_while_its_repository_is_deleted() throws Exception {
    HeldLock.afterChange(
            () -> admin().body("{}").put(repository + "/credential-sets/k"),
            "delete from repository where id = ?",
            Api.repoId(repository))
        .then()
        .statusCode(404);
  }

  private void revoke() {
    as(editor.token()).delete("/api/pats/ci").then().statusCode(200);
  }

  private Response create() {
    return as(token).body(webhook("v").replace('\'', '"')).post(repository + "/subs");
  }

  @Test
  void a_token_that_was_revoked_meanwhile_makes_none() throws Exception {
    overtaken(this::create, this::revoke).statusCode(401).body("code", equalTo("UNAUTHENTICATED"));
    admin().get(repository + "/subs").then().body("", hasSize(1));
  }

  @Test
  void a_state_that_ends_while_a_binding_waits_is_not_bound() throws Exception {
    Subs.put(repository, Api.adminToken(), Map.of("API_KEY", "k")).statusCode(200);
    var tag = admin().get(repository + "/subs/w").header("ETag");
    var set = Map.of("credentialSetName", "set");
    overtaken(
            () -> admin().header("If-Match", tag).body(set).post(repository + "/subs/w/bind"),
            () ->
                OwnConnections.database()
                    .update(
                        """
                        update subscription set webhook_url = 'http://127.0.0.1:8/evil'
                        where repo_id = (
                          select r.id from repository r join organization o on o.id = r.org_id
                          where o.name || '/' || r.name = ?)
                        """,
                        Subs.named(repository)))
        .statusCode(412);
    get(repository, "w").body("credentialSetName", nullValue());
  }

  @Test
  void a_token_that_was_revoked_meanwhile_changes_none() throws Exception {
    overtaken(() -> as(token).post(repository + "/subs/w/pause"), this::revoke).statusCode(401);
    get(repository, "w").body("active", equalTo(true));
  }

  @Test
  void a_token_that_was_revoked_while_waiting_gets_no_answer_that_was_given_before()
      throws Exception {
    create("k").then().statusCode(201);
    create("k").then().statusCode(201);
    try (var holder = dataSource.getConnection();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      holder.setAutoCommit(false);
      OwnConnections.execute(
          holder,
          """
          select from repository_head h
          join repository r on r.id = h.repo_id join organization o on o.id = r.org_id
          where o.name || '/' || r.name = ? for update of h
          """,
          Subs.named(repository));
      // They have all places of the repository.
      var other = People.member(repository.split("/", -1)[3], "admin");
      threads.execute(() -> admin().post(repository + "/subs/w/pause"));
      threads.execute(() -> admin().post(repository + "/subs/v/pause"));
      Waiting.awaitWaiters(holder, 2);
      threads.execute(() -> as(other.token()).post(repository + "/subs/v/pause"));
      Waiting.awaitWaiters(holder, 3);
      var again = threads.submit(() -> create("k"));
      awaitWaitingChange();
      revoke();
      holder.rollback();
      again.get(10, TimeUnit.SECONDS).then().statusCode(401);
    }
  }

  private Response create(String idempotencyKey) {
    return as(token)
        .header("Idempotency-Key", idempotencyKey)
        .body(webhook("v").replace('\'', '"'))
        .post(repository + "/subs");
  }

  private static void awaitWaitingChange() {
    Eventually.await(
        "a change waits",
        () ->
            !Api.anonymous().get("/q/metrics").asString().contains("\ncairn_changes_waiting 0.0"));
  }

  @Test
  void a_caller_that_waited_and_still_may_creates_one() throws Exception {
    overtaken(this::create, () -> Api.admin().get("/api/whoami")).statusCode(201);
    get(repository, "v").statusCode(200);
  }
}

package dev.cairn.access.limit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits: changes that wait for locks of one tenant leave connections to the others. */
@HttpTest
@QuarkusTest
@InProcess("It counts the connections of the pool of this process.")
class ChangeLimiterTest {
  private static final int POOL = 20;

  /** Of a quarter of the pool: no more than then stay free. */
  private static final int OF_ACCOUNT = 3;

  private static final int OF_REPOSITORY = 3;

  private static final String HEAD =
      """
      select from repository_head where repo_id = (
        select r.id from repository r join organization o on o.id = r.org_id where o.name = ?)
      for update
      """;

  @Inject MeterRegistry metrics;

  private String repository;
  private String other;
  private String org;
  private People.Person owner;

  @BeforeEach
  void makeRepositories() {
    repository = repositoryWithSubscription();
    other = repositoryWithSubscription();
    org = repository.split("/", -1)[3];
    owner = People.member(org, "owner");
  }

  private static String repositoryWithSubscription() {
    var repository = Api.newRepository();
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}");
    json(admin(), subscription("w")).post(repository + "/subs").then().statusCode(201);
    return repository;
  }

  private static RequestSpecification json(RequestSpecification request, String body) {
    return request.body(body.replace('\'', '"'));
  }

  private static String subscription(String name) {
    return "{'name':'%s','kind':'webhook','shapeName':'S','filterJson':{},'webhookUrl':'%s'}"
        .formatted(name, "http://127.0.0.1:9/hook");
  }

  /** One of each kind of change that waits for something of the organization. */
  private List<Function<RequestSpecification, Response>> changes() {
    var sub = repository + "/subs/w";
    var organization = "/api/orgs/" + org;
    var members = organization + "/members/";
    var keys = "{'keys':{'TOKEN':'secret'}}";
    return List.of(
        as -> as.post(sub + "/pause"),
        as -> as.post(sub + "/resume"),
        as -> json(as, "{'credentialSetName':'set'}").post(sub + "/bind"),
        as -> as.delete(sub + "/bind"),
        as -> json(as, "{'since':0}").post(sub + "/recover"),
        as -> json(as, "{'notifyOnSuccess':true}").patch(sub),
        as -> as.delete(sub),
        as -> json(as, subscription("v")).post(repository + "/subs"),
        as -> json(as, keys).put(repository + "/credential-sets/set"),
        as -> as.post(repository + "/credential-sets/set/revoke"),
        as -> as.delete(repository + "/credential-sets/set"),
        as -> json(as, "{'description':'d'}").patch(repository),
        as -> json(as, "{'archived':true}").patch(repository),
        as -> as.delete(repository),
        as -> json(as, "{'name':'more'}").post(organization + "/repos"),
        as -> json(as, keys).put(organization + "/credential-sets/set"),
        as -> json(as, "{'description':'d'}").patch(organization),
        as -> json(as, "{'archived':true}").patch(organization),
        as -> json(as, "{'role':'viewer'}").put(members + "new@example.org"),
        as -> as.delete(members + "nobody@example.org"));
  }

  /** Locks all that changes lock first, so that each of them waits. */
  private void lockAll(Connection connection) throws SQLException {
    var of = "(select id from organization where name = ?)";
    OwnConnections.execute(connection, HEAD, org);
    for (var lock :
        List.of(
            "select from repository where org_id = " + of + " for no key update",
            "select from organization where id = " + of + " for no key update",
            "select from subscription where repo_id in (select id from repository where org_id = "
                + of
                + ") for update",
            "select pg_advisory_xact_lock(hashtextextended('credential sets ' || id, 0))"
                + " from repository where org_id = "
                + of,
            "select pg_advisory_xact_lock(hashtextextended('credential sets ' || id, 0)) from "
                + of.replace("select id", "select id, name")
                + " o")) {
      OwnConnections.execute(connection, lock, org);
    }
  }

  @Test
  void changes_of_every_kind_that_wait_leave_the_connections_to_other_organizations()
      throws Exception {
    Api.adminToken();
    var changes = changes();
    assertTrue(2 * changes.size() > POOL);
    var waiting = new ArrayList<Future<Response>>();
    try (var connection = OwnConnections.plain();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      lockAll(connection);
      for (int i = 0; i < 2 * changes.size(); i++) {
        var change = changes.get(i % changes.size());
        waiting.add(executor.submit(() -> change.apply(Api.as(owner.token()))));
      }
      awaitQueue(waiting, waiting.size() - OF_ACCOUNT);
      assertOthersAreServed();
      assertConnections(OF_ACCOUNT, connection);
      connection.rollback();
      for (var answer : waiting) {
        assertBusyOrDone(answer.get(30, TimeUnit.SECONDS));
      }
    }
    assertEquals(0, metrics.get("cairn.changes.waiting").gauge().value());
  }

  @Test
  void changes_of_one_repository_by_many_accounts_take_three_connections() throws Exception {
    Api.adminToken();
    var tokens = new ArrayList<String>();
    for (int i = 0; i < OF_REPOSITORY; i++) {
      tokens.add(People.member(org, "editor").token());
    }
    var waiting = new ArrayList<Future<Response>>();
    try (var connection = OwnConnections.plain();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      OwnConnections.execute(connection, HEAD, org);
      for (int i = 0; i < 2 * POOL; i++) {
        var token = tokens.get(i % tokens.size());
        waiting.add(executor.submit(() -> Api.as(token).post(repository + "/subs/w/pause")));
      }
      awaitQueue(waiting, waiting.size() - OF_REPOSITORY);
      assertOthersAreServed();
      assertConnections(OF_REPOSITORY, connection);
      assertUrlsAreJudgedBeforeTheirTurn();
      connection.rollback();
      for (var answer : waiting) {
        assertBusyOrDone(answer.get(30, TimeUnit.SECONDS));
      }
    }
    admin().get(repository + "/subs/w").then().body("active", equalTo(false));
  }

  @Test
  void the_pause_of_a_paused_one_waits_for_nobody() throws Exception {
    admin().post(repository + "/subs/w/pause").then().statusCode(200);
    var viewer = People.member(org, "viewer").token();
    try (var connection = OwnConnections.plain()) {
      connection.setAutoCommit(false);
      OwnConnections.execute(connection, HEAD, org);
      admin().post(repository + "/subs/w/pause").then().statusCode(200);
      Api.as(viewer).post(repository + "/subs/w/pause").then().statusCode(403);
      connection.rollback();
    }
  }

  private void assertOthersAreServed() {
    long start = System.nanoTime();
    for (int i = 0; i < 3; i++) {
      Prepared.commit(other, "{'operation':'add','name':'S/x%d','data':{}}".formatted(i));
      anonymous().get(other + "/count").then().statusCode(200);
      anonymous().get(repository + "/count").then().statusCode(200);
      admin().post(other + "/subs/w/pause").then().statusCode(200);
      admin().post(other + "/subs/w/resume").then().statusCode(200);
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(millis < 3_000, "the others took " + millis + " ms");
  }

  /**
   * Whoever owns a slow name server can make it wait, so it waits with nothing that others need.
   */
  private void assertUrlsAreJudgedBeforeTheirTurn() {
    var url = "'webhookUrl':'http://169.254.1.1/'";
    var settings = "{'settings':{'notifications':{%s}}}".formatted(url);
    var asOwner = Api.as(owner.token());
    json(asOwner, settings).patch(repository).then().statusCode(400);
    json(asOwner, "{" + url + "}").patch(repository + "/subs/w").then().statusCode(400);
  }

  private static void assertBusyOrDone(Response answer) {
    if (answer.statusCode() >= 500) {
      answer
          .then()
          .statusCode(503)
          .header("Retry-After", notNullValue())
          .body("code", equalTo("UNAVAILABLE"));
    }
  }

  private static void assertConnections(int count, Connection connection) throws SQLException {
    assertEquals(count, Waiting.waiters(connection), "changes that have a connection");
  }

  /** Until so many wait without a connection. */
  private void awaitQueue(List<Future<Response>> sent, int count) throws Exception {
    var waiting = metrics.get("cairn.changes.waiting").gauge();
    Eventually.await(
        () -> count + " changes wait: " + waiting.value(),
        () -> {
          for (var change : sent) {
            assertFalse(change.isDone(), "a change did not wait");
          }
          return waiting.value() >= count;
        });
  }
}

package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.history;
import static dev.cairn.commit.Commits.missing;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.commit.Commits.with;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.access.token.Sprites;
import dev.cairn.model.ErrorCode;
import dev.cairn.platform.database.OwnConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Commits that wait for their repository go together, each as if it had come alone; {@code
 * docs/commits.md}, Commits that go together.
 */
@HttpTest
@QuarkusTest
@InProcess("It counts by the meters.")
class GroupCommitTest {
  /** These have the turns of the repository, and take the others along. */
  private static final int LEADERS = 2;

  @Inject DataSource dataSource;
  @Inject MeterRegistry metrics;

  /** A commit that waits with others. */
  @FunctionalInterface
  private interface Request extends Callable<Response> {}

  private static Request commit(String repository, String... operations) {
    return send(Api::admin, repository, operations);
  }

  private static Request send(
      Supplier<RequestSpecification> caller, String repository, String... operations) {
    return body(caller, repository, "{'operations':[" + ops(operations) + "]}");
  }

  private static Request body(
      Supplier<RequestSpecification> caller, String repository, String body) {
    return () -> caller.get().body(body.replace('\'', '"')).post(repository + "/commits");
  }

  private static Request keyed(String key, String repository, String operation) {
    return send(() -> admin().header("Idempotency-Key", key), repository, operation);
  }

  /** Sends commits one after another, while two of the repository have its turns. */
  private List<ValidatableResponse> together(String repository, List<Request> requests)
      throws Exception {
    return together(repository, requests, () -> {});
  }

  private List<ValidatableResponse> together(
      String repository, List<Request> requests, Runnable meanwhile) throws Exception {
    Api.adminToken();
    double before = waiting();
    var answers = new ArrayList<Future<Response>>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Commits.whileLocked(
          dataSource,
          repository,
          holder -> {
            for (int i = 0; i < LEADERS; i++) {
              var leader = commit(repository, add("Leader/" + i, "{}"));
              answers.add(executor.submit(leader));
            }
            // They wait for the lock, and are not counted.
            Waiting.awaitWaiters(holder, LEADERS);
            for (int i = 0; i < requests.size(); i++) {
              // In this order.
              awaitWaiting(before + i);
              answers.add(executor.submit(requests.get(i)));
            }
            awaitWaiting(before + requests.size());
            meanwhile.run();
          });
      var all = new ArrayList<ValidatableResponse>();
      for (var answer : answers) {
        all.add(answer.get(20, TimeUnit.SECONDS).then());
      }
      return all.subList(LEADERS, all.size());
    }
  }

  private double waiting() {
    return metrics.get("cairn.commits.waiting").gauge().value();
  }

  private void awaitWaiting(double count) {
    Eventually.await(() -> count + " wait: " + waiting(), () -> waiting() >= count);
  }

  private long transactions() {
    return metrics.get("cairn.commits.together").summary().count();
  }

  private static String repository() {
    return repositoryWith(shape("S"), shape("Leader"));
  }

  private static List<Integer> seqs(List<ValidatableResponse> answers) {
    return answers.stream().map(answer -> answer.extract().<Integer>path("repoSeq")).toList();
  }

  @Test
  void commits_that_wait_go_together_in_their_order() throws Exception {
    var repository = repository();
    long before = transactions();

    var answers =
        together(
            repository,
            IntStream.range(0, 40)
                .mapToObj(i -> commit(repository, add("S/a" + i, "{'n':" + i + "}")))
                .toList());

    answers.forEach(answer -> answer.statusCode(201));
    var seqs = seqs(answers);
    assertEquals(seqs.stream().sorted().toList(), seqs, "the order in which they came");
    assertTrue(transactions() - before <= 5, (transactions() - before) + " transactions");
    for (int i = 0; i < 40; i++) {
      thing(repository, "S/a" + i).body("data.n", equalTo(i)).body("version", equalTo(1));
    }
    assertVerified(repository);
  }

  @Test
  void a_client_that_goes_away_takes_no_other_commit_with_it() throws Exception {
    var repository = repository();
    double before = waiting();
    var last = new CompletableFuture<ValidatableResponse>();

    var answers =
        together(
            repository,
            List.of(commit(repository, add("S/first", "{}"))),
            () -> {
              try (var gone = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
                send(gone, repository, add("S/gone", "{}"));
                awaitWaiting(before + 2);
                last.completeAsync(() -> Api.commit(repository, add("S/last", "{}")), Threads.OWN);
                awaitWaiting(before + 3);
                gone.setSoLinger(true, 0);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              Eventually.await("it waits no longer", () -> waiting() == before + 2);
            });

    answers.getFirst().statusCode(201);
    last.get(20, TimeUnit.SECONDS).statusCode(201);
    missing(repository, "S/gone");
    assertVerified(repository);
  }

  /** Sends a commit without waiting for its answer. */
  private static void send(Socket socket, String repository, String operation) throws IOException {
    var body = "{'operations':[%s]}".formatted(ops(operation)).replace('\'', '"');
    var request =
        """
        POST %s/commits HTTP/1.1\r
        Host: localhost\r
        Authorization: Bearer %s\r
        Content-Type: application/json\r
        Content-Length: %d\r
        \r
        %s"""
            .formatted(repository, Api.adminToken(), body.length(), body);
    socket.getOutputStream().write(request.getBytes(US_ASCII));
  }

  @Test
  void each_commit_has_its_own_author_message_and_number() throws Exception {
    var repository = repository();
    var org = Commits.org(repository);
    var people = IntStream.range(0, 3).mapToObj(_ -> People.member(org, "editor")).toList();

    var answers =
        together(
            repository,
            IntStream.range(0, 3)
                .mapToObj(
                    i ->
                        body(
                            () -> as(people.get(i).token()),
                            repository,
                            "{'author':'author %d','message':'message %d','operations':[%s]}"
                                .formatted(i, i, add("S/a" + i, "{}"))))
                .toList());

    for (int i = 0; i < 3; i++) {
      var commit = answers.get(i).statusCode(201).extract();
      admin()
          .get(repository + "/commits/" + commit.<String>path("commitId"))
          .then()
          .statusCode(200)
          .body("repoSeq", equalTo(commit.<Integer>path("repoSeq")))
          .body("author", equalTo("author " + i))
          .body("message", equalTo("message " + i))
          .body("operations", hasSize(1));
      history(repository, "S/a" + i)
          .body("items[0].author", equalTo("author " + i))
          .body("items[0].commitId", equalTo(commit.<String>path("commitId")));
    }
    assertVerified(repository);
  }

  @Test
  void each_commit_makes_the_runs_of_its_own_operations() throws Exception {
    var repository = repository();
    watch(repository);

    var answers =
        together(
            repository,
            IntStream.range(0, 4)
                .mapToObj(
                    i ->
                        i == 1
                            ? commit(repository, add("Leader/unwatched", "{}"))
                            : commit(
                                repository,
                                add("Leader/of" + i, "{}"),
                                add("S/a" + i, "{'n':" + i + "}")))
                .toList());

    for (int i = 0; i < 4; i++) {
      var commit = answers.get(i).statusCode(201).extract();
      admin()
          .get(repository + "/actions/runs")
          .then()
          .statusCode(200)
          .body(
              "findAll { it.commitId == '%s' }.matchedOperationIndexes"
                  .formatted(commit.<String>path("commitId")),
              equalTo(i == 1 ? List.of() : List.of(List.of(1))));
      assertEquals(
          i == 1 ? "" : "1 S/a" + i + " " + i,
          matched(repository, commit.<Integer>path("repoSeq")),
          "the stored operations of commit " + i);
    }
  }

  @Test
  void a_subscription_runs_once_in_a_trace_also_for_commits_that_go_together() throws Exception {
    var repository = repository();
    watch(repository);
    var sprite = new Sprites(repository);
    var token = sprite.token("admin@example.org", "[{'permissions':['repo:write']}]").orElseThrow();

    var answers =
        together(
            repository,
            IntStream.range(0, 3)
                .mapToObj(i -> send(() -> as(token), repository, add("S/a" + i, "{}")))
                .toList());

    answers.forEach(answer -> answer.statusCode(201));
    admin()
        .get(repository + "/actions/runs")
        .then()
        .statusCode(200)
        .body("findAll { it.subscriptionName == 'watch' }", hasSize(1));
  }

  private static void watch(String repository) {
    admin()
        .body(
            """
            {"name":"watch","kind":"webhook","shapeName":"S","filterJson":{},
             "webhookUrl":"http://127.0.0.1:9/"}
            """)
        .post(repository + "/subs")
        .then()
        .statusCode(201);
  }

  private String matched(String repository, int seq) throws SQLException {
    var names = repository.split("/", -1);
    try (var connection = dataSource.getConnection();
        var statement =
            connection.prepareStatement(
                """
                select coalesce(string_agg(
                  concat_ws(' ', op_index, b ->> 'wref', b -> 'data' ->> 'n'), ';'), '')
                from (
                  select m.op_index, convert_from(m.body, 'UTF8')::jsonb as b
                  from matched_operation m
                  join repository r on r.id = m.repo_id
                  join organization o on o.id = r.org_id
                  where o.name = ? and r.name = ? and m.seq = ?) m
                """)) {
      statement.setString(1, names[3]);
      statement.setString(2, names[4]);
      statement.setLong(3, seq);
      try (var row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  @Test
  void a_commit_that_fails_does_not_touch_the_others() throws Exception {
    var repository = repository();
    applied(repository, add("S/old", "{'n':1}"));

    var answers =
        together(
            repository,
            List.of(
                commit(repository, add("S/a", "{}")),
                commit(repository, add("S/b", "{'n':'no number'}")),
                commit(repository, add("S/c", "{'to':'S/nowhere'}")),
                commit(repository, add("S/d", "{}"), add("S/old", "{}")),
                body(
                    Api::admin,
                    repository,
                    "{'atomic':false,'operations':[%s]}"
                        .formatted(ops(add("S/e", "{}"), add("S/old", "{}")))),
                commit(repository, with(add("S/old", "{}"), "'skipExisting':true")),
                send(() -> admin().header("If-Match", "\"AAAA\""), repository, add("S/f", "{}")),
                keyed("key", repository, add("S/g", "{}")),
                commit(repository, with(revise("S/old", "{'n':2}"), "'expectedVersion':7")),
                commit(repository, revise("S/old", "{'n':3}")),
                commit(repository, add("S/h", "{}"))));

    answers.get(0).statusCode(201);
    assertProblem(answers.get(1), ErrorCode.SHAPE_MISMATCH, "/operations/0/data/n");
    assertProblem(answers.get(2), ErrorCode.UNRESOLVED_REFERENCE, "/operations/0/data/to");
    assertProblem(answers.get(3), ErrorCode.ALREADY_EXISTS);
    answers.get(4).statusCode(201).body("partial", equalTo(true));
    answers.get(5).statusCode(200).body("operations[0].status", equalTo("noop"));
    assertProblem(answers.get(6), ErrorCode.PRECONDITION_FAILED);
    answers.get(7).statusCode(201);
    assertProblem(answers.get(8), ErrorCode.CONFLICT);
    answers.get(9).statusCode(201).body("operations[0].version", equalTo(2));
    answers.get(10).statusCode(201);
    for (var name : List.of("b", "c", "d", "f")) {
      missing(repository, "S/" + name);
    }
    keyed("key", repository, add("S/g", "{}"))
        .call()
        .then()
        .statusCode(201)
        .body("commitId", equalTo(answers.get(7).extract().path("commitId")));
    assertVerified(repository);
  }

  @Test
  void the_same_key_twice_is_one_commit() throws Exception {
    var repository = repository();
    var request = keyed("k", repository, add("S/a", "{}"));

    var answers = together(repository, List.of(request, request));

    answers.get(0).statusCode(201);
    answers
        .get(1)
        .statusCode(201)
        .body("commitId", equalTo(answers.get(0).extract().path("commitId")));
    assertVerified(repository);
  }

  @Test
  void one_that_names_what_another_one_changes_builds_on_it() throws Exception {
    var repository = repository();

    var answers =
        together(
            repository,
            List.of(
                commit(repository, add("S/a", "{'n':0}"), shape("T", "{'s':'wref'}")),
                commit(repository, add("S/b", "{'to':'S/a'}")),
                commit(repository, revise("S/a", "{'n':1}")),
                commit(repository, add("T/t", "{'s':'S/a'}")),
                commit(repository, revise("S/a", "{'n':2}")),
                commit(repository, rename("S/a", "z")),
                commit(repository, retract("Shape/T"))));

    answers.get(0).statusCode(201);
    // The rename, and the retract of the shape, may come before those that name what they change.
    var codes = answers.stream().map(answer -> answer.extract().statusCode()).toList();
    assertTrue(
        codes.stream().allMatch(code -> Set.of(201, 400, 404, 409).contains(code)),
        codes::toString);
    assertEquals(201, codes.get(5));
    assertVerified(repository);
  }

  @Test
  void a_commit_that_changes_a_shape_is_judged_by_it_even_if_others_name_the_shape()
      throws Exception {
    var repository = repositoryWith(shape("S"), shape("R"), shape("Leader"));
    applied(repository, add("S/x", "{'n':1}"), add("S/z", "{}"));
    var changed =
        "{'operation':'revise','kind':'shape','name':'S','data':{'fields':{'t':'string'}}}";

    var answers =
        together(
            repository,
            List.of(
                commit(repository, changed, revise("S/x", "{'t':'text'}")),
                commit(repository, add("R/y", "{'to':'S/z'}")),
                commit(repository, add("R/w", "{'to':'S/x'}"))));

    answers.forEach(answer -> answer.statusCode(201));
    thing(repository, "S/x").body("shapeVersion", equalTo(2)).body("data.t", equalTo("text"));
    assertVerified(repository);
  }

  @Test
  void all_that_revise_the_same_are_made() throws Exception {
    var repository = repository();
    applied(repository, add("S/a", "{'n':0}"));

    var answers =
        together(
            repository,
            IntStream.rangeClosed(1, 9)
                .mapToObj(i -> commit(repository, revise("S/a", "{'n':" + i + "}")))
                .toList());

    assertEquals(
        IntStream.rangeClosed(2, 10).boxed().toList(),
        answers.stream()
            .map(answer -> answer.statusCode(201).extract().<Integer>path("operations[0].version"))
            .sorted()
            .toList());
    history(repository, "S/a").body("items", hasSize(10));
    assertVerified(repository);
  }

  @Test
  void only_the_caller_that_loses_the_right_while_waiting_is_refused() throws Exception {
    var repository = repository();
    var org = Commits.org(repository);
    var lost = People.member(org, "editor");
    var kept = People.member(org, "editor");

    var answers =
        together(
            repository,
            List.of(
                send(() -> as(kept.token()), repository, add("S/a", "{}")),
                send(() -> as(lost.token()), repository, add("S/b", "{}")),
                commit(repository, add("S/c", "{}"))),
            () ->
                admin()
                    .delete("/api/orgs/" + org + "/members/" + lost.inPath())
                    .then()
                    .statusCode(200));

    answers.get(0).statusCode(201);
    assertProblem(answers.get(1), ErrorCode.FORBIDDEN);
    answers.get(2).statusCode(201);
    missing(repository, "S/b");
    assertVerified(repository);
  }

  @Test
  void only_the_token_that_is_revoked_while_waiting_is_refused() throws Exception {
    var repository = repository();
    var editor = People.member(Commits.org(repository), "editor");
    var pat = People.pat(editor.token(), null);
    var name = as(pat).get("/api/whoami").then().extract().<String>path("token.name");

    var answers =
        together(
            repository,
            List.of(
                commit(repository, add("S/a", "{}")),
                send(() -> as(pat), repository, add("S/b", "{}")),
                send(() -> as(editor.token()), repository, add("S/c", "{}"))),
            () -> as(editor.token()).delete("/api/pats/" + name).then().statusCode(200));

    answers.get(0).statusCode(201);
    assertProblem(answers.get(1), ErrorCode.UNAUTHENTICATED);
    answers.get(2).statusCode(201);
    missing(repository, "S/b");
    assertVerified(repository);
  }

  @Test
  void when_the_repository_is_archived_all_that_wait_are_refused() throws Exception {
    var repository = repository();

    var answers =
        together(
            repository,
            List.of(commit(repository, add("S/a", "{}")), commit(repository, add("S/b", "{}"))),
            () ->
                OwnConnections.database()
                    .update(
                        """
                        update repository set archived_at = now()
                        where org_id = (select id from organization where name = ?)
                        """,
                        Commits.org(repository)));

    answers.forEach(answer -> assertProblem(answer, ErrorCode.ARCHIVED));
    missing(repository, "S/a");
    assertVerified(repository);
  }
}

package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.canonical;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.commit.Commits.with;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Threads;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ExtractableResponse;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@HttpTest
@QuarkusTest
class RaceTest {
  private static final int CLIENTS = 8;
  private static final String S = shape("S");

  private final DataSource dataSource = OwnConnections.dataSource();

  /** The answers of clients that all send at the same moment. */
  private static List<ExtractableResponse<?>> race(IntFunction<ExtractableResponse<?>> client)
      throws Exception {
    Api.adminToken();
    var start = new CyclicBarrier(CLIENTS);
    var running = new ArrayList<Future<ExtractableResponse<?>>>();
    try (var executor = Executors.newFixedThreadPool(CLIENTS)) {
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        running.add(
            executor.submit(
                () -> {
                  start.await();
                  return client.apply(number);
                }));
      }
      var answers = new ArrayList<ExtractableResponse<?>>();
      for (var future : running) {
        answers.add(future.get(30, TimeUnit.SECONDS));
      }
      return answers;
    }
  }

  private static void assertOneWins(List<ExtractableResponse<?>> answers, String code) {
    assertEquals(1, answers.stream().filter(a -> a.statusCode() == 201).count());
    assertEquals(
        CLIENTS - 1,
        answers.stream()
            .filter(a -> a.statusCode() == 409)
            .filter(a -> code.equals(a.path("code")))
            .count(),
        () -> answers.stream().map(ExtractableResponse::asString).toList().toString());
  }

  @RepeatedTest(3)
  void of_many_clients_that_add_one_name_one_succeeds() throws Exception {
    var repository = repositoryWith(S);

    var answers = race(i -> commit(repository, add("S/a", "{'n':" + i + "}")).extract());

    assertOneWins(answers, "ALREADY_EXISTS");
    thing(repository, "S/a").body("version", equalTo(1));
    assertVerified(repository);
  }

  @RepeatedTest(3)
  void of_many_clients_that_revise_one_version_one_succeeds() throws Exception {
    var repository = repositoryWith(S, add("S/a", "{}"));

    var answers =
        race(
            i ->
                commit(repository, with(revise("S/a", "{'n':" + i + "}"), "'expectedVersion':1"))
                    .extract());

    assertOneWins(answers, "CONFLICT");
    thing(repository, "S/a").body("version", equalTo(2));
  }

  @Test
  void clients_that_revise_without_condition_all_make_their_version() throws Exception {
    var repository = repositoryWith(S, add("S/a", "{'n':-1}"));

    var answers = race(i -> commit(repository, revise("S/a", "{'n':" + i + "}")).extract());

    var sequence = answers.stream().map(a -> a.<Integer>path("repoSeq")).sorted().toList();
    assertEquals(IntStream.rangeClosed(2, CLIENTS + 1).boxed().toList(), sequence);
    thing(repository, "S/a").body("version", equalTo(CLIENTS + 1));
    assertVerified(repository);
  }

  @Test
  void clients_that_use_one_collection_first_share_it() throws Exception {
    var repository = repositoryWith(S, add("S/a", "{}"));

    var answers = race(i -> commit(repository, collection("set", "S/a")).extract());

    assertEquals(1, answers.stream().filter(a -> a.statusCode() == 201).count());
    assertEquals(CLIENTS - 1, answers.stream().filter(a -> a.statusCode() == 200).count());
    assertEquals(
        1, answers.stream().map(a -> a.<String>path("operations[0].wref")).distinct().count());
  }

  @Test
  void commits_to_different_repositories_run_side_by_side() throws Exception {
    var busy = repositoryWith(S);
    var free = repositoryWith(S);
    var waiting = new CompletableFuture<Integer>();
    Commits.whileLocked(
        dataSource,
        busy,
        _ -> {
          waiting.completeAsync(
              () -> commit(busy, add("S/a", "{}")).extract().statusCode(), Threads.OWN);
          applied(free, add("S/a", "{}"));
          Assertions.assertThrows(
              TimeoutException.class, () -> waiting.get(300, TimeUnit.MILLISECONDS));
          assertFalse(waiting.isDone());
        });
    assertEquals(201, result(waiting));
  }

  private static int result(CompletableFuture<Integer> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(10, TimeUnit.SECONDS);
  }

  @Test
  void commits_that_refer_to_each_others_repository_all_succeed() throws Exception {
    var one = repositoryWith(S, add("S/a", "{}"));
    var two = repositoryWith(S, add("S/a", "{}"));

    var answers =
        race(
            i -> {
              var here = i % 2 == 0 ? one : two;
              var there = i % 2 == 0 ? two : one;
              return commit(here, add("S/x" + i, "{'to':'" + canonical(there) + "S/a'}")).extract();
            });

    assertEquals(
        List.of(),
        answers.stream()
            .filter(a -> a.statusCode() != 201)
            .map(ExtractableResponse::asString)
            .toList());
  }

  @Test
  void repositories_that_refer_to_each_other_are_renamed_in_side_by_side() throws Exception {
    int rounds = 10;
    var repositories = List.of(repositoryWith(S), repositoryWith(S));
    for (var here : repositories) {
      applied(here, each(i -> add("S/t" + i, "{}")));
    }
    for (int r = 0; r < 2; r++) {
      var there = canonical(repositories.get(1 - r));
      applied(
          repositories.get(r),
          each(i -> add("S/x" + i, "{'to':'" + there + "S/t" + i + "'}")),
          each(i -> assertion("S/n" + i, "'" + there + "S/t" + i + "'", "{}")));
    }

    var refusals = new ConcurrentLinkedQueue<String>();
    race(
        i -> {
          ExtractableResponse<?> answer = null;
          for (int round = 0; round < rounds; round++) {
            var from = round == 0 ? "S/t" + i : "S/t" + i + "-" + (round - 1);
            answer = commit(repositories.get(i % 2), rename(from, "t" + i + "-" + round)).extract();
            if (answer.statusCode() != 201) {
              refusals.add(answer.asString());
            }
          }
          return answer;
        });

    assertEquals(List.of(), List.copyOf(refusals));
    repositories.forEach(Commits::assertVerified);
  }

  private static String each(IntFunction<String> operation) {
    return IntStream.range(0, CLIENTS).mapToObj(operation).collect(Collectors.joining(","));
  }

  /**
   * Writers that stop at the first answer that is no commit; answers the sequence numbers made.
   *
   * @param status of the answers that stopped them
   */
  private static List<Integer> writeUntilRefused(
      String repository, IntFunction<String> operations, Runnable meanwhile, int status)
      throws Exception {
    var made = new ConcurrentLinkedQueue<Integer>();
    var refusals = new ConcurrentLinkedQueue<Integer>();
    var running = new CountDownLatch(2 * CLIENTS);
    try (var executor = Executors.newFixedThreadPool(CLIENTS)) {
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        executor.execute(
            () -> {
              for (int n = 0; n < 10_000; n++) {
                var answer = commit(repository, operations.apply(number * 10_000 + n)).extract();
                if (answer.statusCode() != 201) {
                  refusals.add(answer.statusCode());
                  return;
                }
                made.add(answer.<Integer>path("repoSeq"));
                running.countDown();
              }
            });
      }
      Assertions.assertTrue(running.await(60, TimeUnit.SECONDS), "the writers must get going");
      meanwhile.run();
      executor.shutdown();
      Assertions.assertTrue(executor.awaitTermination(60, TimeUnit.SECONDS), "all must stop");
    }
    assertEquals(Collections.nCopies(CLIENTS, status), List.copyOf(refusals));
    return List.copyOf(made);
  }

  private static String addWithReferences(int n) {
    return add("S/a" + n, "{}")
        + ","
        + add("S/b" + n, "{'to':'S/a" + n + "'}")
        + ","
        + rename("S/a" + n, "c" + n);
  }

  @Test
  void a_repository_that_is_deleted_while_it_is_written_to_leaves_no_row() throws Exception {
    var repository = repositoryWith(S);
    var id = repositoryId(repository);

    writeUntilRefused(
        repository,
        RaceTest::addWithReferences,
        () -> admin().delete(repository).then().statusCode(200),
        404);

    // That it was deleted is kept for an hour.
    assertEquals(Map.of("deleted_repository", 1L), rowsOf(id));
  }

  private UUID repositoryId(String repository) throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement =
            connection.prepareStatement(
                """
                select r.id from repository r join organization o on o.id = r.org_id
                where o.name = ?
                """)) {
      statement.setString(1, Commits.org(repository));
      try (var rows = statement.executeQuery()) {
        Assertions.assertTrue(rows.next());
        return rows.getObject(1, UUID.class);
      }
    }
  }

  /** How many rows each table has that names repositories, where it has any. */
  private Map<String, Long> rowsOf(UUID repositoryId) throws SQLException {
    var counts = new TreeMap<String, Long>();
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement()) {
      var tables = new ArrayList<String>();
      try (var rows =
          statement.executeQuery(
              """
              select table_name from information_schema.columns
              where table_schema = 'public' and column_name = 'repo_id'
              """)) {
        while (rows.next()) {
          tables.add(rows.getString(1));
        }
      }
      Assertions.assertTrue(tables.size() >= 7, tables.toString());
      for (var table : tables) {
        try (var rows =
            statement.executeQuery(
                "select count(*) from %s where repo_id = '%s'".formatted(table, repositoryId))) {
          rows.next();
          if (rows.getLong(1) > 0) {
            counts.put(table, rows.getLong(1));
          }
        }
      }
    }
    return counts;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void no_commit_follows_once_archiving_was_answered(boolean organization) throws Exception {
    var repository = repositoryWith(S);
    var archived = organization ? "/api/orgs/" + Commits.org(repository) : repository;
    var atArchiving = new AtomicInteger();

    var made =
        writeUntilRefused(
            repository,
            n -> add("S/a" + n, "{}"),
            () -> {
              admin().body("{\"archived\":true}").patch(archived).then().statusCode(200);
              atArchiving.set(newest(repository));
            },
            409);

    assertEquals(atArchiving.get(), newest(repository));
    assertEquals(atArchiving.get(), Collections.max(made));
    assertVerified(repository);
  }

  private static int newest(String repository) {
    return admin().get(repository + "/commits?limit=1").then().extract().path("items[0].repoSeq");
  }
}

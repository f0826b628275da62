package dev.cairn.commit;

import static dev.cairn.Api.commit;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.canonical;
import static dev.cairn.commit.Commits.collection;
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
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ExtractableResponse;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
class RaceTest {
  private static final int CLIENTS = 8;
  private static final String S = shape("S");

  @Inject DataSource dataSource;

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
    CompletableFuture<Integer> waiting;
    try (var connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try (var statement =
          connection.prepareStatement(
              """
              select from repository_head where repo_id = (
                select r.id from repository r join organization o on o.id = r.org_id
                where o.name = ?) for update
              """)) {
        statement.setString(1, Commits.org(busy));
        statement.execute();
        waiting =
            CompletableFuture.supplyAsync(
                () -> commit(busy, add("S/a", "{}")).extract().statusCode());

        applied(free, add("S/a", "{}"));

        Assertions.assertThrows(
            TimeoutException.class, () -> waiting.get(300, TimeUnit.MILLISECONDS));
        assertFalse(waiting.isDone());
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
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
}

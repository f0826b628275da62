package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.named;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Statements;
import io.quarkus.test.junit.QuarkusTest;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
class StatementCountTest {
  private static String each(int count, IntFunction<String> operations) {
    return IntStream.range(0, count).mapToObj(operations).collect(Collectors.joining(","));
  }

  /** By a personal token: the key of an access token is looked up again every minute. */
  private int statements(String repository, String operations) {
    var token = People.pat(Api.adminToken(), null);
    var body = "{'operations':[" + operations + "]}";
    Api.as(token).get(repository + "/count").then().statusCode(200);
    int before = Statements.sentInSilence();
    Api.as(token)
        .body(body.replace('\'', '"'))
        .post(repository + "/commits")
        .then()
        .statusCode(201);
    return Statements.sent() - before;
  }

  /** Of two commits of the same kind: the service may send statements of its own meanwhile. */
  private int least(String repository, String operations, String others) {
    return Math.min(statements(repository, operations), statements(repository, others));
  }

  @Test
  void a_commit_takes_as_many_statements_for_1_10_and_1000_adds() {
    var repository = repositoryWith(shape("S"));

    int one = least(repository, adds("a", 1), adds("b", 1));
    int ten = least(repository, adds("c", 10), adds("d", 10));
    int thousand = least(repository, adds("e", 1_000), adds("f", 1_000));

    assertEquals(one, ten);
    assertEquals(one, thousand);
    assertEquals(5, one, "authorization with the first one");
  }

  private static String adds(String prefix, int count) {
    return each(count, i -> add("S/" + prefix + i, "{'n':1}"));
  }

  @Test
  void a_commit_takes_as_many_statements_for_1_10_and_200_operations_of_each_kind() {
    var repository = repositoryWith(shape("S"), shape("T"));
    applied(
        repository,
        each(
            2_022,
            i ->
                ops(
                    add("S/revised" + i, "{'n':0}"),
                    add("S/retracted" + i, "{'n':1}"),
                    add("S/renamed" + i, "{'n':2}"),
                    add("T/referring" + i, "{'to':'S/renamed" + i + "'}"))));

    int one = least(repository, mixed(0, 1), mixed(1, 1));
    int ten = least(repository, mixed(2, 10), mixed(12, 10));
    int most = least(repository, mixed(22, 200), mixed(222, 200));
    int more = least(repository, mixed(422, 800), mixed(1_222, 800));

    assertEquals(one, ten);
    assertEquals(one, most);
    // One statement changes at most 2,000 rows.
    assertTrue(more <= one + 8, "%d statements, and %d for 8,000 operations".formatted(one, more));
    assertEquals(22, one);
    admin().get(repository + "/count").then().statusCode(200);
    Commits.assertVerified(repository);
  }

  /** Ten operations for each number, of every kind. */
  private static String mixed(int from, int count) {
    return each(
        count,
        n -> {
          int i = from + n;
          return ops(
              shape("Shape" + i),
              add("Shape" + i + "/a", "{'to':'S/revised" + i + "'}"),
              revise("S/revised" + i, "{'n':1}"),
              retract("S/retracted" + i),
              active("S/retracted" + i, true),
              rename("S/renamed" + i, "new" + i),
              assertion("S/note" + i, "'S/new" + i + "'", "{}"),
              assertion("S/inline" + i, "{'pair':['S/new" + i + "','S/revised" + i + "']}", "{}"),
              named("List/" + i, "list", "S/new" + i),
              revise("T/referring" + i, "{'to':'S/note" + i + "'}"));
        });
  }
}

package dev.cairn.search;

import static dev.cairn.search.Searches.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Search by vectors: to a narrowed token, hits, scores and ranks are those of a repository in which
 * what it may not read does not exist.
 */
@HttpTest
@QuarkusTest
class VectorVisibilityTest {
  private static final int THINGS = 120;
  private static final int QUERIES = 12;

  private static final String[] WORDS = {
    "red", "reddish", "green", "greenhouse", "blue", "bluebird", "garden", "gardener", "water"
  };

  private static final List<String> FILTERS =
      List.of("", "&shape=Plant", "&match=*/*-b*", "&includeInactive=true", "&limit=3");

  private Random random;

  private String word() {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private String words() {
    return IntStream.range(0, 1 + random.nextInt(4))
        .mapToObj(_ -> word())
        .collect(Collectors.joining(" "));
  }

  private static boolean isVisible(String wref) {
    return wref.matches("Plant/red.*|Bird/[^/]*-b[^/]*");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void what_a_token_may_not_read_changes_no_rank(long seed) {
    random = new Random(seed);
    var all = Api.newRepository();
    var visible = Api.newRepository();
    var operations = operations();
    commit(all, operations.stream().map(Operation::json).toList());
    commit(
        visible, operations.stream().filter(o -> isVisible(o.wref)).map(Operation::json).toList());
    var token = People.narrowedPat(all, "repo:read", "Plant/red*", "Bird/*-b*");
    boolean isAnyFound = false;
    for (int i = 0; i < QUERIES; i++) {
      var query = random.nextInt(3) == 0 ? "gren" : words();
      for (var mode : List.of("text", "vector", "hybrid")) {
        var parameters = "&mode=" + mode + FILTERS.get(random.nextInt(FILTERS.size()));
        var expected = hits(Api.adminToken(), visible, query, parameters);
        assertEquals(expected, hits(token, all, query, parameters), query + parameters);
        isAnyFound |= !expected.isEmpty();
      }
    }
    assertTrue(isAnyFound);
  }

  private record Operation(String wref, String json) {}

  private List<Operation> operations() {
    var operations = new ArrayList<Operation>();
    for (int i = 0; i < THINGS; i++) {
      var wref =
          "%s/%s-%s-%d".formatted(random.nextBoolean() ? "Plant" : "Bird", word(), word(), i);
      operations.add(
          new Operation(
              wref,
              "{'operation':'add','name':'%s','data':{'text':'%s'}}".formatted(wref, words())));
    }
    for (int i = 0; i < THINGS; i += 2 + random.nextInt(5)) {
      var wref = operations.get(i).wref;
      operations.add(
          new Operation(
              wref,
              random.nextBoolean()
                  ? "{'operation':'retract','name':'%s'}".formatted(wref)
                  : "{'operation':'revise','name':'%s','data':{'text':'%s'}}"
                      .formatted(wref, words())));
    }
    return operations;
  }

  private static void commit(String repository, List<String> operations) {
    Prepared.commit(
        repository,
        """
        {'operation':'add','kind':'shape','name':'Plant','data':{'fields':{'text':'string'}}},
        {'operation':'add','kind':'shape','name':'Bird','data':{'fields':{'text':'string'}}}
        """);
    Prepared.commit(
        repository,
        operations.stream().filter(o -> o.contains("'add'")).collect(Collectors.joining(",")));
    Prepared.commit(
        repository,
        operations.stream().filter(o -> !o.contains("'add'")).collect(Collectors.joining(",")));
  }

  private static List<String> hits(
      String token, String repository, String query, String parameters) {
    var page = answer(token, repository, query, parameters).statusCode(200).extract().jsonPath();
    return IntStream.range(0, page.getList("items").size())
        .mapToObj(
            i ->
                "%s %s %s"
                    .formatted(
                        page.get("items[" + i + "].wref"),
                        page.get("items[" + i + "].score"),
                        page.get("items[" + i + "].ranks")))
        .toList();
  }
}

package dev.cairn.search;

import static dev.cairn.search.Searches.page;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Search: of more hits than are ranked, the best are, wherever the index has them. */
@HttpTest
@QuarkusTest
class ManyHitsTest {
  private static final int TOO_MANY = RankedHits.MAX_BY_WORDS + 50;

  private static final String SHAPES =
      """
      {'operation':'add','kind':'shape','name':'Tool','data':{'fields':{}}},
      {'operation':'add','kind':'shape','name':'Note','data':{'fields':{'text':'string'}}}
      """;

  private static final String BEST =
      """
      {'operation':'add','name':'Tool/x-y-many','data':{}},
      {'operation':'add','name':'Tool/many','data':{}},
      {'operation':'add','name':'Note/best','data':{'text':'many of many'}}
      """;

  private static String repository;

  /** The best are added last, so that the index has all others before them. */
  @BeforeEach
  void content() {
    if (repository == null) {
      repository = Api.newRepository();
      Prepared.commit(repository, SHAPES);
      Prepared.commit(
          repository,
          operations(i -> "{'operation':'add','name':'Tool/manyfold%d','data':{}}".formatted(i)));
      Prepared.commit(
          repository,
          operations(
              i ->
                  "{'operation':'add','name':'Note/n%d','data':{'text':'manyfold'}}".formatted(i)));
      Prepared.commit(repository, BEST);
    }
  }

  private static String operations(IntFunction<String> operation) {
    return IntStream.range(0, TOO_MANY).mapToObj(operation).collect(Collectors.joining(","));
  }

  @Test
  void names_with_the_whole_words_are_before_those_with_parts_of_them() {
    var first = page(repository, "many", "&limit=3");
    assertEquals(List.of("Tool/many", "Tool/x-y-many"), first.getList("items.wref").subList(0, 2));
    assertEquals(1, first.getList("warnings").size());
  }

  @Test
  void texts_with_the_whole_words_are_before_those_that_begin_like_them() {
    var first = page(repository, "many", "&shape=Note&limit=3");
    assertEquals("Note/best", first.getString("items[0].wref"));
    assertEquals(1, first.getList("warnings").size());
  }
}

package dev.cairn.query;

import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.walk;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: predicates on fields that are none, and what there is no predicate for. */
@HttpTest
@QuarkusTest
class WhereRefusedTest extends WhereCases {
  private ValidatableResponse refused(String where) {
    return Sample.refused(url("query", where), "?where");
  }

  @Test
  void a_shape_that_there_is_not_has_nothing() {
    get(repository + "/query?shape=Nope&where=x:eq:1").statusCode(200).body("items.size()", is(0));
    get(repository + "/count?shape=Nope&where=x:eq:1").statusCode(200).body("count", is(0));
  }

  @Test
  void a_narrowed_token_learns_nothing_of_a_shape_that_it_may_not_see() {
    add("{'n':1}");
    var token = People.narrowedPat(repository, "repo:read", "Other/*");
    Api.as(token).get(url("query", "nope:eq:1")).then().statusCode(200);
    var seen = People.narrowedPat(repository, "repo:read", "P/b");
    Api.as(seen).get(url("count", "n:eq:1")).then().statusCode(200).body("count", is(0));
    Api.as(seen).get(url("count", "nope:eq:1")).then().statusCode(400);
  }

  @Test
  void predicates_need_a_shape() {
    for (var route : List.of("/query?", "/head?", "/count?")) {
      Sample.refused(repository + route + "where=n:eq:1", "?where");
      Sample.refused(repository + route + "match=P/*&where=n:eq:1", "?where");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "n", "n:eq", ":", "n:=:1", "n:EQ:1", "n:like:x", "n::1"})
  void what_is_no_predicate_is_refused_by_its_form(String where) {
    refused(where).body("detail", containsString("`where` '" + where + "'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nope:eq:1",
        "box.nope:eq:1",
        "n.x:eq:1",
        "any.x:eq:1",
        ":eq:1",
        "box..width:eq:1",
        "N:eq:1"
      })
  void an_undeclared_field_is_refused_with_the_fields_there_are(String where) {
    refused(where)
        .body("hint", containsString("n, flag"))
        .body("hint", containsString("box.lid.color"));
  }

  @ParameterizedTest
  @CsvSource({
    "n:prefix:1, 'eq, ne, gt, gte, lt, lte, in, exists'",
    "flag:gt:true, 'eq, ne, exists'",
    "flag:in:true, 'eq, ne, exists'",
    "near:gt:P/a, 'eq, ne, prefix, in, exists'",
    "any:lt:1, 'eq, ne, prefix, in, exists'",
    "box:eq:1, exists",
    "parts:ne:1, exists",
  })
  void an_operator_that_the_type_does_not_have_is_refused(String where, String allowed) {
    refused(where).body("detail", containsString("supports only " + allowed + "."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n:eq:",
        "n:eq:x",
        "n:gt:0x1",
        "n:lt:01",
        "n:eq:1e400",
        "n:eq:1e999999999",
        "n:eq:NaN",
        "n:eq:9007199254740993",
        "n:eq:\"1\"",
        "n:in:1,",
        "n:in:1,x",
        "grid:eq:[1]",
        "n:eq:[[[[",
        "flag:eq:1",
        "flag:ne:True",
        "n:exists:1",
        "n:exists:",
        "near:eq:x",
        "near:eq:P/a@HEAD",
        "near:in:P/a,P/b@ALL",
        "near:eq:P/a@v0"
      })
  void a_value_that_the_type_cannot_have_is_refused(String where) {
    refused(where);
  }

  @Test
  void a_cursor_belongs_to_its_predicates() {
    add("{'n':1}", "{'n':2}", "{'n':3}");
    var url = url("query", "n:gt:0");
    assertEquals(List.of("P/a", "P/b", "P/c"), walk(url, "items.wref", 1));
    String cursor = get(url + "&limit=1").extract().path("nextCursor");
    Sample.refused(url("query", "n:gt:1") + "&limit=1&cursor=" + cursor, "?cursor");
    Sample.refused(url("query") + "&limit=1&cursor=" + cursor, "?cursor");
    Sample.refused(url("query", "n:gt:0", "n:gt:0") + "&limit=1&cursor=" + cursor, "?cursor");
  }
}

package dev.cairn.openapi;

import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** API: the document is held against every answer of the tests, and would not go unnoticed. */
@HttpTest
@QuarkusTest
class ContractTest {
  private static final String COUNT = "/api/repos/demo/world/count";
  private static final String OPERATION = "/paths/~1api~1repos~1{org}~1{repo}~1count/get/responses";

  /** What is wrong with the live count by a document that was changed. */
  private static List<String> violations(String query, Consumer<ObjectNode> change) {
    var document = (ObjectNode) OpenApi.get().root().deepCopy();
    change.accept(document);
    return new Contract(new OpenApi(document))
        .violations("GET", COUNT, anonymous().get(COUNT + query));
  }

  private static ObjectNode at(ObjectNode document, String pointer) {
    return (ObjectNode) document.at(pointer);
  }

  @Test
  void every_answer_of_a_test_over_http_is_looked_at() {
    assertTrue(RestAssured.filters().stream().anyMatch(Contract.class::isInstance));
  }

  @Test
  void a_path_into_an_answer_is_compiled_once() {
    var answer = anonymous().get(COUNT);
    int found = answer.path("find { it.key == 'count' }.value");
    int scripts = JsonScripts.count();
    assertTrue(scripts > 0);
    assertEquals(found, answer.<Integer>path("find { it.key == 'count' }.value"));
    assertEquals(scripts, JsonScripts.count());
  }

  @Test
  void values_in_answers_have_the_types_of_rest_assured() {
    var json =
        JsonPath.from(
            "{\"n\":[1,-3000000000,18446744073709551616,21.5,2e3,1e39],\"o\":[true,null,\"\\u00e9\",{}]}");
    assertEquals(
        List.of(1, -3_000_000_000L, BigInteger.TWO.pow(64), 21.5f, 2000f, 1e39),
        json.<List<Number>>get("n"));
    assertEquals(Arrays.asList(true, null, "\u00e9", Map.of()), json.<List<Object>>get("o"));
  }

  @Test
  void the_document_as_it_is_fits() {
    assertEquals(List.of(), violations("", _ -> {}));
    assertEquals(List.of(), violations("?shap=x", _ -> {}));
  }

  @Test
  void a_status_that_the_document_does_not_have_is_noticed() {
    assertEquals(
        List.of("the status 200 of count"),
        violations("", document -> at(document, OPERATION).remove("200")));
  }

  @Test
  void a_media_type_that_the_document_does_not_have_is_noticed() {
    assertEquals(
        List.of("the media type application/json with 200 of count"),
        violations("", document -> at(document, OPERATION + "/200/content").remove(OpenApi.JSON)));
  }

  @Test
  void a_member_that_the_document_does_not_have_is_noticed() {
    var found =
        violations(
            "",
            document -> {
              at(document, "/components/schemas/Count/properties").remove("count");
              at(document, "/components/schemas/Count").remove("required");
            });
    assertEquals(1, found.size(), found::toString);
    assertTrue(found.getFirst().contains("'count'"), found::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "409, ALREADY_EXISTS, '', 1",
    "409, CONFLICT, '\"details\":{\"reason\":\"last_owner\"},', 1",
    "409, CONFLICT, '\"details\":{\"reason\":\"run_not_failed\"},', 0",
    "409, ALREADY_EXISTS, '\"hint\":\"Choose another name.\",', 0",
    "400, RESERVED_NAME, '', 1",
    "400, ILLEGAL_OP_SEQUENCE, '', 1",
    "400, VALIDATION_ERROR, '', 0"
  })
  void a_refusal_that_should_say_what_to_do_and_does_not_is_noticed(
      int status, String code, String more, int missing) {
    var problem = "{%s\"status\":%d,\"code\":\"%s\"}".formatted(more, status, code);
    assertEquals(missing, Contract.missingHint(OpenApi.json(problem)).size());
  }

  @Test
  void a_member_of_another_type_is_noticed() {
    assertEquals(
        1,
        violations(
                "",
                document ->
                    at(document, "/components/schemas/Count/properties/count")
                        .put("type", "string"))
            .size());
  }
}

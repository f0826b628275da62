package dev.cairn.platform.http;

import static dev.cairn.Api.admin;
import static dev.cairn.platform.http.ErrorsTest.BATCH;
import static dev.cairn.platform.http.ErrorsTest.batch;
import static dev.cairn.platform.http.ErrorsTest.invalid;
import static dev.cairn.platform.http.ErrorsTest.problem;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.model.ErrorCode;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors in bodies of JSON, told by their place. */
@HttpTest
@QuarkusTest
class JsonErrorsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[",
        "nul",
        "{\"wrefs\":[\"X/y\"]",
        "{\"wrefs\":[\"X/y\"]}}",
        "{'wrefs':[]}",
        "{\"wrefs\":[\"X/y\"],}",
        "{\"wrefs\":[\"X/y\"]} x",
        "{wrefs:1}",
        "// c\n{}",
        "\uFEFF{",
        "{\"wrefs\":[NaN]}",
        "{\"a\":01}",
        "{\"a\":\"\t\"}",
        "null",
        "[]",
        "1",
        "\"x\""
      })
  void malformed_json_is_a_validation_error(String body) {
    var answer = RawHttp.send("POST " + BATCH, body, "Content-Type: application/json");
    HostileUrlTest.refused(body, answer, 400);
    assertTrue(answer.body().contains("\"VALIDATION_ERROR\""), answer.body());
    assertTrue(answer.body().contains("\"pointer\""), answer.body());
  }

  @Test
  void json_nested_too_deeply_is_a_validation_error() {
    for (int depth : new int[] {70, 2_000, 100_000}) {
      var body = "{\"wrefs\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
      var answer = RawHttp.send("POST " + BATCH, body, "Content-Type: application/json");
      HostileUrlTest.refused("depth " + depth, answer, 400);
    }
  }

  @Test
  void a_member_given_twice_is_a_validation_error_that_names_it() {
    invalid(batch("{'wrefs':['X/y'],'wrefs':['X/z']}"), "/wrefs");
  }

  @Test
  void an_unknown_member_is_named_and_the_hint_lists_the_known_ones() {
    invalid(batch("{'wrefs':['X/y'],'wref~s/':1}"), "/wref~0s~1")
        .body("detail", containsString("wref~s/"))
        .body("hint", allOf(containsString("version"), containsString("wrefs")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'wrefs':'X/y'}",
        "{'wrefs':{}}",
        "{'wrefs':1}",
        "{'wrefs':true}",
        "{'wrefs':null}"
      })
  void a_list_of_the_wrong_type_is_a_validation_error(String body) {
    invalid(batch(body), "/wrefs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "true", "1.5", "{}", "[]", "null"})
  void an_element_of_the_wrong_type_is_a_validation_error(String element) {
    invalid(batch("{'wrefs':['X/y'," + element + "]}"), "/wrefs/1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'1'", "true", "1.5", "{}", "[]", "''", "0", "-1", "3000000000", "1e99"})
  void a_number_of_the_wrong_type_is_a_validation_error(String version) {
    invalid(batch("{'wrefs':['X/y'],'version':" + version + "}"), "/version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "true", "{}", "[]", "1.5"})
  void a_text_of_the_wrong_type_is_a_validation_error(String value) {
    var name = Api.unique("org");
    invalid(
        admin()
            .body("{\"name\":\"" + name + "\",\"description\":" + value + "}")
            .post("/api/orgs")
            .then(),
        "/description");
    problem(admin().get("/api/orgs/" + name).then(), ErrorCode.NOT_FOUND);
  }

  @Test
  void a_flag_of_the_wrong_type_is_a_validation_error() {
    var repository = Api.newRepository();
    for (var value : List.of("'true'", "1", "0", "{}", "''")) {
      invalid(
          admin().body("{\"archived\":" + value.replace('\'', '"') + "}").patch(repository).then(),
          "/archived");
    }
    admin().get(repository).then().body("archivedAt", is((Object) null));
  }

  @Test
  void every_violation_of_a_batch_is_listed() {
    var repository = Api.newRepository();
    var response =
        Api.commit(
            repository, "{'operation':'nonsense','name':'A/b'},{'operation':'add','nome':'A/b'}");
    problem(response, ErrorCode.VALIDATION_ERROR)
        .body("errors.pointer", hasItem("/operations/0/operation"))
        .body("errors.pointer", hasItem("/operations/1/nome"));
    admin().get(repository + "/commits").then().body("items", hasSize(0));
  }
}

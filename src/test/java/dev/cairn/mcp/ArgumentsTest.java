package dev.cairn.mcp;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Tools: what arguments may be, by the schema and by the call. */
@QuarkusTest
@HttpTest
class ArgumentsTest {
  private Mcp client;

  @BeforeEach
  void repository() {
    var repository = Api.newRepository();
    Prepared.commit(
        repository,
        """
        {'operation':'add','name':'Shape/Note','data':{'fields':{'text':'string','by':'string'}}},
        {'operation':'add','name':'Note/a','data':{'text':'one','by':'me'}}\
        """);
    Prepared.commit(
        repository, "{'operation':'add','name':'Note/b','data':{'text':'two','by':'you'}}");
    client = Mcp.admin(Mcp.NEW).at(repository);
  }

  private static JsonNode input(String tool) {
    var listed = Mcp.anonymous(Mcp.NEW).send("tools/list", Map.of()).extract().asString();
    return Outputs.parsed(listed)
        .at("/result/tools")
        .valueStream()
        .filter(one -> one.get("name").asText().equals(tool))
        .findFirst()
        .orElseThrow()
        .get("inputSchema");
  }

  private static List<String> violations(String tool, String arguments) {
    var sent = Outputs.parsed(arguments.replace('\'', '"'));
    ((ObjectNode) sent).put("org", "o").put("repo", "r");
    return Outputs.violations(input(tool), sent);
  }

  @Test
  void a_sequence_number_may_be_a_number_or_a_text() {
    for (Object one : List.of(1, "1")) {
      client
          .call("commit_diff", Map.of("from", one))
          .body("result.structuredContent.items.wref", contains("Note/b"));
      client
          .call("commit_diff", Map.of("from", 0, "to", one))
          .body("result.structuredContent.items", hasSize(2));
      client
          .call("thing_get", Map.of("wref", "Note/b", "at", one))
          .body("result.structuredContent.code", equalTo("NOT_FOUND"));
      for (var tool : List.of("thing_head", "thing_query")) {
        client
            .call(tool, Map.of("shape", "Note", "at", one))
            .body("result.structuredContent.items.wref", contains("Note/a"));
      }
      client
          .call("thing_count", Map.of("shape", "Note", "at", one))
          .body("result.structuredContent.count", equalTo(1));
      client
          .call("export_create", Map.of("at", one))
          .body("result.structuredContent.atRepoSeq", equalTo(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1.5", "true", "[1]"})
  void what_is_no_moment_is_refused(String at) {
    client
        .call("thing_count", Outputs.map("{\"at\":" + at + "}"))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"))
        .body("result.structuredContent.errors.pointer", contains("/at"));
  }

  @Test
  void the_schemas_say_that_it_may_be_either() {
    for (var tool : List.of("thing_head", "thing_query", "thing_count", "export_create")) {
      assertEquals(List.of(), violations(tool, "{'at':3}"), tool);
      assertEquals(List.of(), violations(tool, "{'at':'3'}"), tool);
      assertFalse(violations(tool, "{'at':true}").isEmpty(), tool);
    }
    assertEquals(List.of(), violations("thing_get", "{'wref':'Note/a','at':3}"));
    assertEquals(List.of(), violations("commit_diff", "{'from':3,'to':4}"));
    assertFalse(violations("commit_diff", "{'from':true}").isEmpty());
  }

  @Test
  void fields_may_be_a_list_or_a_text() {
    for (Object fields : List.of("text,by", List.of("text", "by"), List.of("text,by"))) {
      client
          .call("thing_query", Map.of("shape", "Note", "fields", fields))
          .body(
              "result.structuredContent.items.data",
              contains(Map.of("text", "one", "by", "me"), Map.of("text", "two", "by", "you")));
    }
    for (var tool : List.of("thing_head", "thing_history")) {
      client
          .call(tool, Map.of("shape", "Note", "fields", List.of("by")))
          .body("result.structuredContent.items.data.text", contains(null, null));
      assertEquals(List.of(), violations(tool, "{'fields':['by']}"), tool);
      assertEquals(List.of(), violations(tool, "{'fields':'by'}"), tool);
      assertFalse(violations(tool, "{'fields':[1]}").isEmpty(), tool);
    }
    for (var fields : List.of(List.of(), List.of(1), List.of("text", ""), true)) {
      client
          .call("thing_query", Map.of("fields", fields))
          .body("result.structuredContent.errors.pointer", contains("/fields"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "thing_query, match, Note/a b",
    "thing_count, match, Note/a b",
    "thing_head, match, Note/a b",
    "shape_list, match, Shape/No te",
    "thing_query, shape, No te",
    "thing_query, about, Note/a b",
    "thing_query, missing, about:No te",
    "thing_history, wref, Note/a b",
    "thing_get, wref, Note/a b",
    "thing_about, wref, Note/a b",
    "thing_refs, wref, Note/a b",
    "wref_resolve, wref, Note/a b",
  })
  void a_blank_in_a_name_is_refused_with_a_hint_that_names_have_none(
      String tool, String argument, String value) {
    client
        .call(tool, Map.of(argument, value))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"))
        .body("result.structuredContent.errors.pointer", contains("/" + argument))
        .body("result.structuredContent.hint", containsString("have no blanks"));
  }

  @Test
  void a_blank_in_one_of_several_names_is_refused_too() {
    for (var tool : List.of("thing_query", "thing_count")) {
      client
          .call(tool, Map.of("about", List.of("Note/a", "Note/a b")))
          .body("result.structuredContent.hint", containsString("have no blanks"));
    }
    client
        .call("thing_about", Map.of("wref", List.of("Note/a", "Note/a b")))
        .body("result.structuredContent.hint", containsString("have no blanks"));
  }

  @Test
  void all_that_is_wrong_with_the_arguments_is_told_at_once() {
    client
        .call("thing_get", Map.of("name", "Note/a", "version", "two", "shape", "Note"))
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"))
        .body(
            "result.structuredContent.errors.pointer",
            containsInAnyOrder("/wref", "/version", "/name", "/shape"))
        .body("result.structuredContent.hint", containsString("wref, "));
    client
        .call("commit_get", Map.of())
        .body("result.structuredContent.errors.pointer", contains("/commitId"));
  }

  @Test
  void a_filter_within_a_filter_has_the_same_schema() {
    for (var tool : List.of("subscription_create", "subscription_update")) {
      for (var form : List.of("{'not':%s}", "{'all':[%s]}", "{'any':[{'not':{'all':[%s]}}]}")) {
        var good = "{'operation':['add'],'kind':'thing'}";
        assertEquals(List.of(), filterViolations(tool, form.formatted(good)));
        for (var bad : List.of("{'operation':['create']}", "{'kind':1}", "'add'", "{'all':{}}")) {
          assertFalse(filterViolations(tool, form.formatted(bad)).isEmpty(), form + bad);
        }
      }
    }
  }

  private static List<String> filterViolations(String tool, String filter) {
    return violations(tool, "{'name':'n','kind':'webhook','filterJson':%s}".formatted(filter));
  }

  @Test
  void a_new_command_and_a_new_schedule_have_what_they_need() {
    var create = "{'name':'n','kind':'cron','%s':%s}";
    var command = "{'command':'make','inputMode':'stdin','ref':null,'tokenTtlMinutes':5}";
    assertEquals(
        List.of(), violations("subscription_create", create.formatted("spriteConfig", command)));
    for (var bad :
        List.of(
            "{}",
            "{'command':'make'}",
            "{'inputMode':'stdin'}",
            "{'command':'make','inputMode':'pipe'}",
            "{'command':null,'inputMode':'stdin'}",
            "{'command':'make','inputMode':null}",
            "{'command':'make','inputMode':'env','tokenTtlMinutes':61}")) {
      assertFalse(
          violations("subscription_create", create.formatted("spriteConfig", bad)).isEmpty(), bad);
    }
    assertEquals(
        List.of(),
        violations(
            "subscription_create", create.formatted("cronConfig", "{'cronspec':'0 * * * *'}")));
    for (var bad : List.of("{}", "{'timezone':'UTC'}", "{'cronspec':null}")) {
      assertFalse(
          violations("subscription_create", create.formatted("cronConfig", bad)).isEmpty(), bad);
    }
  }

  @Test
  void a_change_of_a_command_or_a_schedule_has_only_what_changes() {
    for (var change :
        List.of(
            "{'spriteConfig':{'command':'make all'}}",
            "{'spriteConfig':{'inputMode':'env','gitRepo':null,'ref':null}}",
            "{'spriteConfig':{'tokenTtlMinutes':null}}",
            "{'cronConfig':{'timezone':null}}",
            "{'cronConfig':{'cronspec':'0 * * * *'}}")) {
      var arguments = "{'name':'n'," + change.substring(1);
      assertEquals(List.of(), violations("subscription_update", arguments), change);
    }
    for (var bad :
        List.of(
            "{'spriteConfig':{'inputMode':'pipe'}}",
            "{'spriteConfig':{'command':null}}",
            "{'cronConfig':{'cronspec':null}}")) {
      var arguments = "{'name':'n'," + bad.substring(1);
      assertFalse(violations("subscription_update", arguments).isEmpty(), bad);
    }
  }
}

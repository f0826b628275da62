package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.export.Exports.JSON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md, Adding an export again: what takes more than adding each line. */
@HttpTest
@QuarkusTest
class ReplayInStepsTest {
  private static final String SHAPE =
      """
      {"operation":"add","name":"Node","data":{"fields":{
        "text?":"string","to?":"wref","many?":["wref"]}}}""";

  private String repository;

  @BeforeEach
  void aShape() {
    repository = Api.newRepository("private");
    commit(SHAPE);
  }

  private void commit(String operation) {
    commit(repository, List.of(Exports.read(operation)));
  }

  private static void commit(String repository, List<? extends JsonNode> operations) {
    var body = JSON.createObjectNode();
    body.putArray("operations").addAll(operations);
    var answer = admin().body(body.toString()).post(repository + "/commits");
    assertEquals(201, answer.statusCode(), answer::asString);
  }

  /** What the lines of a repository tell of each entity, by wref. */
  private static Map<String, ObjectNode> head(String repository) {
    var head = new HashMap<String, ObjectNode>();
    for (var line : Exports.lines(Exports.stream(repository))) {
      line.remove(List.of("version", "createdAt", "updatedAt", "author"));
      head.put(line.get("wref").textValue(), line);
    }
    return head;
  }

  @Test
  void what_goes_round_in_a_circle_is_added_without_it_and_revised_then() {
    commit("{'operation':'add','name':'Node/a','data':{'text':'a'}}".replace('\'', '"'));
    commit(
        "{'operation':'add','name':'Node/b','data':{'to':'Node/a','many':['Node/a']}}"
            .replace('\'', '"'));
    commit(
        "{'operation':'revise','name':'Node/a','data':{'to':'Node/a','many':['Node/b']}}"
            .replace('\'', '"'));
    commit(
        "{'operation':'add','name':'Node/c','about':'Node/b','data':{'to':'Node/a'}}"
            .replace('\'', '"'));

    assertEquals(head(repository), head(inSteps(Exports.stream(repository))));
  }

  @Test
  void what_was_retracted_is_put_in_place_for_those_that_refer_to_it() {
    commit("{'operation':'add','name':'Node/gone','data':{'text':'x'}}".replace('\'', '"'));
    commit("{'operation':'add','name':'Node/left','data':{'to':'Node/gone'}}".replace('\'', '"'));
    commit(
        "{'operation':'add','name':'Node/said','about':'Node/gone','data':{'text':'of it'}}"
            .replace('\'', '"'));
    commit("{'operation':'retract','name':'Node/gone'}".replace('\'', '"'));

    assertEquals(head(repository), head(inSteps(Exports.stream(repository))));
  }

  /** Adds an export to a new repository as the page says; answers its path. */
  private static String inSteps(String ndjson) {
    var copy = Api.newRepository("private");
    var lines = Exports.lines(ndjson);
    var there = new HashSet<String>();
    var all = new HashSet<>(Exports.wrefs(ndjson));
    var absent = new TreeSet<String>();
    lines.forEach(line -> absent.addAll(references(line)));
    absent.removeAll(all);
    var last = new ArrayList<ObjectNode>();
    var added = new ArrayList<ObjectNode>();
    for (var line : lines) {
      if (!line.get("kind").textValue().equals("shape") && there.addAll(absent)) {
        absent.forEach(wref -> added.add(of("add", wref).set("data", JSON.createObjectNode())));
      }
      var operation = Exports.operation(line);
      if (!there.containsAll(references(line))) {
        last.add(of("revise", line.get("wref").textValue()).set("data", line.get("data")));
        operation.set("data", without(line.get("data"), there));
      }
      added.add(operation);
      there.add(line.get("wref").textValue());
    }
    absent.forEach(wref -> last.add(of("retract", wref)));
    assertTrue(!last.isEmpty(), "adding each line would have done");
    commit(copy, added);
    commit(copy, last);
    return copy;
  }

  private static ObjectNode of(String operation, String wref) {
    return JSON.createObjectNode().put("operation", operation).put("name", wref);
  }

  private static Set<String> references(ObjectNode line) {
    var references = new HashSet<String>();
    if (line.has("aboutWref")) {
      references.add(line.get("aboutWref").textValue());
    }
    var data = line.get("data");
    if (data.hasNonNull("to")) {
      references.add(data.get("to").textValue());
    }
    data.path("many").forEach(one -> references.add(one.textValue()));
    return references;
  }

  /** The data without the references to what is not there yet. */
  private static JsonNode without(JsonNode data, Set<String> there) {
    ObjectNode rest = data.deepCopy();
    if (!there.contains(rest.path("to").asText())) {
      rest.remove("to");
    }
    if (rest.get("many") instanceof ArrayNode many) {
      var kept = JSON.createArrayNode();
      many.forEach(
          one -> {
            if (there.contains(one.textValue())) {
              kept.add(one);
            }
          });
      rest.set("many", kept);
    }
    return rest;
  }
}

package dev.cairn.component;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.IJson;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/** Manifests for tests; JSON stands with ' for ". */
final class Manifests {
  /** Every member once. */
  private static final String FULL =
      """
      {'component': {'id': 'cycle-finder', 'name': 'Cycle finder', 'version': '1.2.0',
                     'description': 'Finds cycles of dependencies.'},
       'shapes': [
         {'name': 'Dependency', 'data': {'fields': {'from': 'string', 'to': 'string'}}},
         {'name': 'Cycle', 'data': {'about': ['Dependency'], 'fields': {'length': 'number'}}},
         {'name': 'Setting', 'data': {'about': false, 'fields': {'depth': 'number'}}}],
       'credentials': [
         {'name': 'finder', 'description': 'Of the server',
          'keys': ['CLI_SIGNING_SECRET', 'WEBHOOK_SIGNING_SECRET']},
         {'name': 'other', 'keys': ['OTHER_KEY']}],
       'subscriptions': [
         {'name': 'cycles', 'kind': 'webhook', 'shapeName': 'Dependency', 'filterJson': {},
          'webhookUrl': 'https://finder.example/hook', 'credentialSetName': 'finder'}],
       'seeds': [
         {'name': 'Setting/default', 'data': {'depth': 10}},
         {'name': 'ComponentConfig/cycle-finder', 'data': {'cliBaseUrl': 'https://finder.example'}},
         {'name': 'Cycle/example', 'about': 'Dependency/a', 'data': {'length': 2}}],
       'health': {'requires': [{'wref': 'Setting/default'}, {'path': '/health'}]},
       'teardown': {'subscriptions': 'delete'},
       'runtimeAccess': {'reads': ['Dependency/**'], 'writes': ['Cycle/**']},
       'cli': {'methods': [
         {'name': 'find', 'method': 'POST', 'path': '/find', 'credentialSet': 'finder',
          'requiresPermission': 'repo:write',
          'args': [{'name': 'from', 'type': 'string', 'description': 'Where to begin'},
                   {'name': 'all', 'type': 'any?'}]},
         {'name': 'status', 'method': 'GET', 'path': '/', 'credentialSet': 'finder',
          'args': [{'name': 'wref', 'type': 'wref?'}]}]}}
      """;

  private Manifests() {}

  /** JSON with ' for ". */
  static JsonNode json(String text) {
    return IJson.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** A manifest with every member. */
  static ObjectNode full() {
    return (ObjectNode) json(FULL);
  }

  /** The same of a component with another name. */
  static ObjectNode named(String name) {
    var manifest = set(full(), "/component/id", json("'" + name + "'"));
    return set(manifest, "/seeds/1/name", json("'ComponentConfig/" + name + "'"));
  }

  /** A manifest with the least members. */
  static ObjectNode least(String id, String version) {
    return (ObjectNode)
        json(
            "{'component': {'id': '%s', 'name': 'A component', 'version': '%s'}}"
                .formatted(id, version));
  }

  /** The manifest with another value at a pointer; an index at the end of an array adds to it. */
  static ObjectNode set(ObjectNode manifest, String pointer, JsonNode value) {
    var at = JsonPointer.compile(pointer);
    var parent = manifest.at(at.head());
    var last = at.last();
    if (parent instanceof ArrayNode array && last.getMatchingIndex() == array.size()) {
      array.add(value);
    } else if (parent instanceof ArrayNode array) {
      array.set(last.getMatchingIndex(), value);
    } else {
      ((ObjectNode) parent).set(last.getMatchingProperty(), value);
    }
    return manifest;
  }

  /** The manifest without a member. */
  static ObjectNode without(ObjectNode manifest, String pointer) {
    var at = JsonPointer.compile(pointer);
    ((ObjectNode) manifest.at(at.head())).remove(at.last().getMatchingProperty());
    return manifest;
  }

  /**
   * An array.
   *
   * @param item the JSON of the item with an index
   */
  static JsonNode array(int count, IntFunction<String> item) {
    var array = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < count; i++) {
      array.add(json(item.apply(i)));
    }
    return array;
  }
}

package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * JSON Schema in the short notation of the sources: where a schema is expected, a text is the name
 * of a shared one; a member with {@code ?} after its name may be missing, any other is required;
 * {@code extends} begins with the members of another schema; {@code pageOf} makes a page, which
 * with {@code warns} may have warnings, and with {@code ofContent} the sequence number of the
 * commit that it shows.
 */
final class SchemaNotation {
  private static final String SCHEMAS = "#/components/schemas/";

  /** Keywords whose value is a schema. */
  private static final List<String> SCHEMA = List.of("items", "additionalProperties", "schema");

  private final Map<String, JsonNode> shared;

  /**
   * For the schemas of one document.
   *
   * @param shared those that have a name, in the short notation
   */
  SchemaNotation(Map<String, JsonNode> shared) {
    this.shared = shared;
  }

  /** The schema in full. */
  ObjectNode schema(JsonNode source) {
    if (source.isTextual()) {
      if (!shared.containsKey(source.asText())) {
        throw new IllegalArgumentException("there is no schema " + source.asText());
      }
      return JsonNodeFactory.instance.objectNode().put("$ref", SCHEMAS + source.asText());
    }
    if (source.has("pageOf")) {
      return page(source);
    }
    var schema = JsonNodeFactory.instance.objectNode();
    if (source.has("properties")) {
      schema.put("type", "object");
    }
    for (var keyword : source.properties()) {
      put(schema, keyword.getKey(), keyword.getValue());
    }
    if (source.has("extends")) {
      schema.remove("extends");
      properties(schema, extended(source));
    }
    return schema;
  }

  /** The same object, with the schema in it in full. */
  ObjectNode inFull(JsonNode holder) {
    var full = (ObjectNode) holder.deepCopy();
    full.set("schema", schema(holder.path("schema")));
    return full;
  }

  private void put(ObjectNode schema, String keyword, JsonNode value) {
    if (keyword.equals("$ref")) {
      schema.setAll(schema(value));
    } else if (keyword.equals("properties")) {
      properties(schema, value);
    } else if (keyword.equals("oneOf")) {
      var choices = schema.putArray(keyword);
      value.forEach(choice -> choices.add(schema(choice)));
    } else if (SCHEMA.contains(keyword) && !value.isBoolean()) {
      schema.set(keyword, schema(value));
    } else {
      schema.set(keyword, value);
    }
  }

  private void properties(ObjectNode schema, JsonNode members) {
    schema.remove("required");
    var required = JsonNodeFactory.instance.arrayNode();
    var properties = JsonNodeFactory.instance.objectNode();
    for (var member : members.properties()) {
      var name = bare(member.getKey());
      if (name.equals(member.getKey())) {
        required.add(name);
      }
      properties.set(name, schema(member.getValue()));
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    schema.set("properties", properties);
  }

  /** The members of a schema after those of the schema that it extends. */
  private JsonNode extended(JsonNode source) {
    var members = JsonNodeFactory.instance.objectNode();
    if (source.has("extends")) {
      members.setAll((ObjectNode) extended(shared.get(source.get("extends").asText())));
    }
    for (var member : source.path("properties").properties()) {
      members.remove(List.of(bare(member.getKey()), bare(member.getKey()) + "?"));
      members.set(member.getKey(), member.getValue());
    }
    return members;
  }

  private static String bare(String name) {
    return name.endsWith("?") ? name.substring(0, name.length() - 1) : name;
  }

  private ObjectNode page(JsonNode source) {
    var page = JsonNodeFactory.instance.objectNode().put("type", "object");
    page.set("description", source.get("description"));
    page.putArray("required").add("items");
    var properties = page.putObject("properties");
    var items = properties.putObject("items").put("type", "array");
    items.set("description", source.get("items"));
    items.set("items", schema(source.get("pageOf")));
    properties.set("nextCursor", schema(JsonNodeFactory.instance.textNode("Cursor")));
    if (source.path("ofContent").asBoolean()) {
      properties.set("repoSeq", schema(JsonNodeFactory.instance.textNode("ListSeq")));
    }
    if (source.path("warns").asBoolean()) {
      properties.set("warnings", schema(JsonNodeFactory.instance.textNode("Warnings")));
    }
    return page;
  }
}

package dev.cairn.export;

import static dev.cairn.export.Exports.JSON;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * References into other repositories in the data of a line. They alone stand with a version, which
 * their hash does not have; so they cannot be strings where the hash is to be the same.
 */
final class ForeignReferences {
  private static final Pattern REFERENCE = Pattern.compile("(cairn:.+)@v[0-9]+");

  private ForeignReferences() {}

  /** The data as its hash sees it. */
  static JsonNode unversioned(JsonNode data) {
    if (data.isTextual()) {
      return TextNode.valueOf(REFERENCE.matcher(data.textValue()).replaceFirst("$1"));
    }
    JsonNode copy = data.deepCopy();
    if (copy instanceof ObjectNode object) {
      object.properties().forEach(member -> member.setValue(unversioned(member.getValue())));
    } else if (copy.isArray()) {
      var array = JSON.createArrayNode();
      copy.forEach(item -> array.add(unversioned(item)));
      return array;
    }
    return copy;
  }

  /** A shape that declares nothing but the references that stand in the data; empty for none. */
  static Optional<JsonNode> definition(JsonNode data) {
    return Optional.ofNullable(type(data))
        .map(fields -> JSON.createObjectNode().set("fields", fields));
  }

  /** The type of what holds such references; null where none are in it. */
  private static JsonNode type(JsonNode data) {
    if (data.isTextual()) {
      return REFERENCE.matcher(data.textValue()).matches() ? TextNode.valueOf("wref") : null;
    }
    return data.isArray() ? listType(data) : objectType(data);
  }

  private static JsonNode listType(JsonNode array) {
    JsonNode found = null;
    for (var item : array) {
      var type = type(item);
      if (found instanceof ObjectNode fields && type instanceof ObjectNode more) {
        fields.setAll(more);
      } else {
        found = type == null ? found : type;
      }
    }
    return found == null ? null : JSON.createArrayNode().add(found);
  }

  private static JsonNode objectType(JsonNode object) {
    var fields = JSON.createObjectNode();
    for (var member : object.properties()) {
      var type = type(member.getValue());
      if (type != null) {
        fields.set(member.getKey() + "?", type);
      }
    }
    return fields.isEmpty() ? null : fields;
  }
}

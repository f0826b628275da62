package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON Merge Patch, RFC 7396: an object's members replace members, and null removes them. */
public final class MergePatch {
  private MergePatch() {}

  /**
   * The result of a patch. It may share nodes with both arguments, which do not change.
   *
   * @param target the value that is patched; null if there is none
   */
  public static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode)) {
      return patch;
    }
    var result = JsonNodeFactory.instance.objectNode();
    if (target instanceof ObjectNode object) {
      result.setAll(object);
    }
    for (var member : patch.properties()) {
      var name = member.getKey();
      if (member.getValue().isNull()) {
        result.remove(name);
      } else {
        result.set(name, apply(result.get(name), member.getValue()));
      }
    }
    return result;
  }
}

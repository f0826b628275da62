package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The members of an object of a source, each of which is taken once; what nobody took is a mistake.
 */
final class Members {
  private final String place;
  private final ObjectNode left;

  /**
   * For one object.
   *
   * @param place for the message
   */
  Members(String place, JsonNode object) {
    if (!object.isObject()) {
      throw new IllegalArgumentException(place + " must be an object");
    }
    this.place = place;
    this.left = object.deepCopy();
  }

  boolean has(String name) {
    return left.has(name);
  }

  /** The member, which is missing if there is none. */
  JsonNode take(String name) {
    var member = left.path(name);
    left.remove(name);
    return member;
  }

  /** The texts of a member that is a list, none if there is none. */
  List<String> takeList(String name) {
    return take(name).valueStream().map(JsonNode::asText).toList();
  }

  /** The text of a member, or another one. */
  String takeText(String name, String otherwise) {
    return take(name).asText(otherwise);
  }

  /** Takes what is left, to be kept as it is. */
  ObjectNode rest() {
    var rest = left.deepCopy();
    left.removeAll();
    return rest;
  }

  /**
   * To be called when all that may be there was taken.
   *
   * @throws IllegalArgumentException that names the other members
   */
  void requireNoMore() {
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          place
              + " has unknown members: "
              + left.properties().stream().map(e -> e.getKey()).toList());
    }
  }
}

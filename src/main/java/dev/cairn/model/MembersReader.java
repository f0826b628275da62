package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Operation.About;
import dev.cairn.model.Operation.Members;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the {@code about} of an operation, and the collections that it gives in one of three ways.
 */
final class MembersReader {
  private final JsonNode root;
  private final OperationViolations violations;

  MembersReader(JsonNode operation, OperationViolations violations) {
    this.root = operation;
    this.violations = violations;
  }

  /** The value of {@code about}; null if it is absent or invalid. */
  About about() {
    var about = root.get("about");
    if (about == null) {
      return null;
    }
    if (about.isTextual()) {
      return violations.attempt(
          "/about", about.textValue(), text -> new About.To(Link.parse(text)));
    }
    if (!about.isObject() || about.size() != 1) {
      violations.refuse(
          "/about",
          "`about` must be a wref, `$n`, or an object with one of pair, triple, set, list.");
      return null;
    }
    var only = about.properties().iterator().next();
    var type = CollectionType.of(only.getKey());
    if (type.isEmpty()) {
      violations.refuse(
          IJson.pointer("/about", only.getKey()),
          "An inline collection must have one of pair, triple, set, list.");
      return null;
    }
    var at = IJson.pointer("/about", only.getKey());
    var members = members(type.get(), only.getValue(), at);
    return members == null ? null : new About.Inline(members);
  }

  /** The collection that {@code type} and {@code members} give. */
  Members ofMembers() {
    var word = violations.text(root, "type");
    var type = word == null ? CollectionType.SET : CollectionType.of(word).orElse(null);
    if (type == null) {
      violations.refuse("/type", "`type` must be pair, triple, set or list.");
      return null;
    }
    var members = root.get("members");
    return members == null ? null : members(type, members, "/members");
  }

  private Members members(CollectionType type, JsonNode array, String at) {
    if (!array.isArray()) {
      violations.refuse(at, "The members of a " + type.wire() + " must be an array of wrefs.");
      return null;
    }
    if (array.size() > CollectionType.MAX_MEMBERS) {
      violations.refuse(
          at, "A collection may have at most %,d members.".formatted(CollectionType.MAX_MEMBERS));
      return null;
    }
    var nodes = new ArrayList<JsonNode>();
    var pointers = new ArrayList<String>();
    for (int i = 0; i < array.size(); i++) {
      nodes.add(array.get(i));
      pointers.add(IJson.pointer(at, i));
    }
    return members(type, nodes, pointers, at);
  }

  /** The collection that the payload of a thing of a collection's shape gives. */
  Members ofData(Wref target, JsonNode data) {
    var type = CollectionType.ofShape(target.shape()).orElseThrow();
    if (CollectionType.of(violations.text(root, "type"))
        .filter(declared -> declared != type)
        .isPresent()) {
      violations.refuse(
          "/type", "`type` must be " + type.wire() + " for a " + target.shape() + ".");
    }
    var rule = "A %s has only %s.".formatted(type.wire(), String.join(", ", type.fields()));
    for (var member : data.properties()) {
      if (!type.fields().contains(member.getKey())) {
        violations.refuse(IJson.pointer("/data", member.getKey()), rule);
      }
    }
    if (type.isOpen()) {
      var field = type.fields().getFirst();
      return members(type, data.path(field), IJson.pointer("/data", field));
    }
    var nodes = new ArrayList<JsonNode>();
    var pointers = new ArrayList<String>();
    for (var field : type.fields()) {
      nodes.add(data.path(field));
      pointers.add(IJson.pointer("/data", field));
    }
    return members(type, nodes, pointers, "/data");
  }

  private Members members(
      CollectionType type, List<JsonNode> nodes, List<String> pointers, String at) {
    if (!type.allows(nodes.size())) {
      violations.refuse(at, type.countRule());
      return null;
    }
    var links = new ArrayList<Link>();
    for (int i = 0; i < nodes.size(); i++) {
      var node = nodes.get(i);
      if (node.isTextual()) {
        links.add(violations.attempt(pointers.get(i), node.textValue(), Link::parse));
      } else {
        violations.refuse(pointers.get(i), "A member must be a wref or `$n`.");
      }
    }
    return new Members(type, links, pointers);
  }
}

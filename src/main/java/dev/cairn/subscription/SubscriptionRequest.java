package dev.cairn.subscription;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The body that creates or changes a subscription, with its members by their canonical names, also
 * if they were sent under an alias. A member that is null counts as left out.
 */
final class SubscriptionRequest {
  private static final Map<String, String> ALIASES =
      Map.of(
          "on", "shapeName",
          "filter", "filterJson",
          "url", "webhookUrl",
          "executor", "executorKind");

  /** Of any kind of body. */
  private static final Set<String> KNOWN =
      Set.of(
          "name",
          "kind",
          "shapeName",
          "filterJson",
          "webhookUrl",
          "executorKind",
          "cronConfig",
          "spriteConfig",
          "tokenScopes",
          "sourceRepo",
          "allowTraceReentry",
          "workspacePolicy",
          "notifyOnSuccess",
          "credentialSetName",
          "active");

  private final Map<String, JsonNode> members = new HashMap<>();
  private final Map<String, String> pointers = new HashMap<>();

  /**
   * Reads an object.
   *
   * @throws Problem {@code VALIDATION_ERROR} for a member that no body has, and for one that is
   *     sent under two names
   */
  static SubscriptionRequest of(JsonNode body) {
    var request = new SubscriptionRequest();
    body.properties().forEach(member -> request.put(member.getKey(), member.getValue()));
    return request;
  }

  private void put(String sentAs, JsonNode value) {
    var name = ALIASES.getOrDefault(sentAs, sentAs);
    var pointer = IJson.pointer("", sentAs);
    if (!KNOWN.contains(name)) {
      throw Problem.invalid(pointer, "Unknown member `" + Excerpt.of(sentAs) + "`.")
          .hint("Known here: " + String.join(", ", KNOWN.stream().sorted().toList()) + ".");
    }
    if (pointers.put(name, pointer) != null) {
      throw Problem.invalid(pointer, "`" + name + "` was sent under two names.");
    }
    if (!value.isNull()) {
      members.put(name, value);
    }
  }

  /**
   * Refuses every member that is not one of {@code allowed}.
   *
   * @param owner what the others do not belong to, for the detail of the problem
   */
  void refuseOthers(Set<String> allowed, String owner) {
    for (var name : KNOWN.stream().sorted().toList()) {
      if (members.containsKey(name) && !allowed.contains(name)) {
        throw Problem.invalid(pointer(name), "`%s` does not belong to %s.".formatted(name, owner))
            .hint("Known here: " + String.join(", ", allowed.stream().sorted().toList()) + ".");
      }
    }
  }

  /** The JSON pointer of a member, also of one that was not sent. */
  String pointer(String name) {
    return pointers.getOrDefault(name, "/" + name);
  }

  /** The names of the members that were sent, sorted. */
  Set<String> names() {
    return new TreeSet<>(members.keySet());
  }

  /** Whether a member was sent. */
  boolean has(String name) {
    return members.containsKey(name);
  }

  /** A member as it was sent, if it was. */
  Optional<JsonNode> value(String name) {
    return Optional.ofNullable(members.get(name));
  }

  /** A member that is a string. */
  Optional<String> text(String name) {
    return value(name)
        .map(
            value -> {
              if (!value.isTextual()) {
                throw Problem.invalid(pointer(name), "`" + name + "` must be a string.");
              }
              return value.textValue();
            });
  }

  /** A member that is true or false. */
  Optional<Boolean> flag(String name) {
    return value(name)
        .map(
            value -> {
              if (!value.isBoolean()) {
                throw Problem.invalid(pointer(name), "`" + name + "` must be true or false.");
              }
              return value.booleanValue();
            });
  }

  /** A member that is one of several strings. */
  Optional<String> oneOf(String name, Set<String> allowed) {
    var text = text(name);
    if (text.filter(value -> !allowed.contains(value)).isPresent()) {
      throw Problem.invalid(
          pointer(name),
          "`%s` must be one of %s."
              .formatted(name, String.join(", ", allowed.stream().sorted().toList())));
    }
    return text;
  }

  /** A member that is an object. */
  Optional<ObjectNode> object(String name) {
    return value(name)
        .map(
            value -> {
              if (!(value instanceof ObjectNode object)) {
                throw Problem.invalid(pointer(name), "`" + name + "` must be an object.");
              }
              return object;
            });
  }

  /** The value of a required member. */
  <T> T required(String name, Optional<T> value) {
    return value.orElseThrow(() -> Problem.invalid(pointer(name), "`" + name + "` is required."));
  }
}

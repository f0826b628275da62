package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * An object in a manifest. It reads members, and adds whatever is wrong with them to the violations
 * of the manifest instead of throwing.
 */
final class ManifestPart {
  private final ObjectNode object;
  private final String pointer;
  private final Violations violations;

  private ManifestPart(ObjectNode object, String pointer, Violations violations) {
    this.object = object;
    this.pointer = pointer;
    this.violations = violations;
  }

  /**
   * A value that must be an object with certain members.
   *
   * @param what it is, for the detail of a violation
   * @param pointer from the root of the manifest
   * @param known the names of its members
   * @return empty if it is no object
   */
  static Optional<ManifestPart> of(
      String what, JsonNode value, String pointer, Violations violations, Set<String> known) {
    if (!(value instanceof ObjectNode object)) {
      violations.add(pointer, what + " must be an object.");
      return Optional.empty();
    }
    for (var member : object.properties()) {
      if (!known.contains(member.getKey())) {
        violations.add(
            IJson.pointer(pointer, member.getKey()),
            "Unknown member `%s`; %s has: %s."
                .formatted(
                    Excerpt.of(member.getKey()),
                    uncapitalized(what),
                    String.join(", ", known.stream().sorted().toList())));
      }
    }
    return Optional.of(new ManifestPart(object, pointer, violations));
  }

  private static String uncapitalized(String what) {
    return what.substring(0, 1).toLowerCase(Locale.ROOT) + what.substring(1);
  }

  /** The pointer of a member, from the root of the manifest. */
  String pointer(String member) {
    return IJson.pointer(pointer, member);
  }

  /** Whether it has a member. */
  boolean has(String member) {
    return object.has(member);
  }

  /** Whether a member is an empty array. */
  boolean isEmpty(String member) {
    var value = object.path(member);
    return value.isArray() && value.isEmpty();
  }

  /** Adds a violation at a member. */
  void reject(String member, String rule) {
    rejectAt(pointer(member), rule);
  }

  /** Adds a violation of the object itself. */
  void rejectAll(String rule) {
    rejectAt(pointer, rule);
  }

  /** Adds a violation at a pointer from the root of the manifest. */
  void rejectAt(String at, String rule) {
    violations.add(at, rule);
  }

  /** Adds violations whose pointers begin at {@code at}. */
  void addAll(Problem found, String at) {
    violations.addAll(found, at);
  }

  /** Counts violations that are not listed. */
  void countUnlisted(int count) {
    violations.addUnlisted(count);
  }

  /** Runs a check of a member, and adds what it throws. */
  void check(String member, Runnable check) {
    checkAt(pointer(member), check);
  }

  /**
   * Runs a check of what is at a pointer from the root of the manifest, and adds what it throws.
   */
  void checkAt(String at, Runnable check) {
    try {
      check.run();
    } catch (Problem e) {
      violations.addAll(e, at);
    }
  }

  /** A string that must be there; null if it is not. */
  String required(String member) {
    if (!object.has(member)) {
      reject(member, "`" + member + "` is required.");
      return null;
    }
    return text(member);
  }

  /** A string that may be left out; null if it is, or if the value is no string. */
  String text(String member) {
    var value = object.get(member);
    if (value == null) {
      return null;
    }
    if (!value.isTextual()) {
      reject(member, "`" + member + "` must be a string.");
      return null;
    }
    return value.textValue();
  }

  /** A string that must be there and match a pattern as a whole; null if it does not. */
  String matching(String member, Pattern form, String rule) {
    var text = required(member);
    if (text != null && !form.matcher(text).matches()) {
      reject(member, rule);
      return null;
    }
    return text;
  }

  /** A string that must be there, for which a check throws a problem if it is not valid. */
  String checked(String member, Consumer<String> check) {
    var text = required(member);
    if (text != null) {
      check(member, () -> check.accept(text));
    }
    return text;
  }

  /** Checks a text for people that may be left out. */
  void description(String member, int maxLength) {
    var text = text(member);
    if (text != null && (text.isEmpty() || text.codePointCount(0, text.length()) > maxLength)) {
      reject(member, "`%s` must have 1 to %,d characters.".formatted(member, maxLength));
    }
  }

  /** An object that must be there; null if it is not. */
  ObjectNode requiredObject(String member) {
    if (object.get(member) instanceof ObjectNode value) {
      return value;
    }
    reject(member, "`" + member + "` must be an object.");
    return null;
  }

  /** An object that may be left out. */
  Optional<ManifestPart> part(String member, Set<String> known) {
    return object.has(member)
        ? of("`" + member + "`", object.get(member), pointer(member), violations, known)
        : Optional.empty();
  }

  /**
   * Reads the items of an array that may be left out.
   *
   * @param max how many it may have; only so many are read
   * @param item gets each item and its pointer
   */
  void each(String member, int max, BiConsumer<JsonNode, String> item) {
    var array = object.get(member);
    if (array == null) {
      return;
    }
    if (!array.isArray()) {
      reject(member, "`" + member + "` must be an array.");
      return;
    }
    if (array.size() > max) {
      reject(member, "`%s` may have at most %,d items.".formatted(member, max));
    }
    for (int i = 0; i < Math.min(array.size(), max); i++) {
      item.accept(array.get(i), IJson.pointer(pointer(member), i));
    }
  }

  /** The same for an array of objects with certain members. */
  void eachPart(
      String member, String what, int max, Set<String> known, Consumer<ManifestPart> item) {
    each(member, max, (value, at) -> of(what, value, at, violations, known).ifPresent(item));
  }

  /** The strings of an array; those that are none are violations. */
  void eachText(String member, int max, BiConsumer<String, String> item) {
    each(
        member,
        max,
        (value, at) -> {
          if (value.isTextual()) {
            item.accept(value.textValue(), at);
          } else {
            violations.add(at, "It must be a string.");
          }
        });
  }

  /** Adds a violation if a name, which may be null, was there before. */
  void unique(Set<String> names, String member, String name) {
    if (name != null && !names.add(name)) {
      reject(member, "The name `%s` may be there only once.".formatted(Excerpt.of(name)));
    }
  }

  /** An empty set of names, for {@link #unique}. */
  static Set<String> names() {
    return new HashSet<>();
  }
}

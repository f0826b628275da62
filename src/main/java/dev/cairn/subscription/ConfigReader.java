package dev.cairn.subscription;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The members of {@code spriteConfig} and {@code cronConfig}: those of the request override those
 * that exist. Null removes one.
 */
final class ConfigReader {
  private final ObjectNode present;
  private final ObjectNode wanted;
  private final String pointer;

  /**
   * Merges {@code wanted} into {@code present}.
   *
   * @param pointer of {@code wanted} in the request
   * @param known the names of the members
   */
  ConfigReader(ObjectNode present, ObjectNode wanted, String pointer, Set<String> known) {
    this.present = present;
    this.wanted = wanted;
    this.pointer = pointer;
    for (var member : wanted.properties()) {
      if (!known.contains(member.getKey())) {
        throw Problem.invalid(
                IJson.pointer(pointer, member.getKey()),
                "Unknown member `" + Excerpt.of(member.getKey()) + "`.")
            .hint("Known here: " + String.join(", ", known.stream().sorted().toList()) + ".");
      }
    }
  }

  private JsonNode value(String name) {
    var value = wanted.has(name) ? wanted.get(name) : present.get(name);
    return value == null || value.isNull() ? null : value;
  }

  /** A string that matches a pattern as a whole; null if there is none. */
  String text(String name, Pattern form, String rule) {
    var value = value(name);
    if (value == null) {
      return null;
    }
    if (!value.isTextual() || !form.matcher(value.textValue()).matches()) {
      throw refused(name, rule);
    }
    return value.textValue();
  }

  /** The same for a required member. */
  String required(String name, Pattern form, String rule) {
    var text = text(name, form, rule);
    if (text == null) {
      throw refused(name, "`" + name + "` is required.");
    }
    return text;
  }

  /** A whole number; null if there is none. */
  Integer integer(String name, int min, int max) {
    var value = value(name);
    if (value == null) {
      return null;
    }
    if (!value.isNumber()
        || value.doubleValue() != Math.rint(value.doubleValue())
        || value.doubleValue() < min
        || value.doubleValue() > max) {
      throw refused(name, "`%s` must be a whole number from %d to %d.".formatted(name, min, max));
    }
    return (int) value.doubleValue();
  }

  Problem refused(String name, String rule) {
    return Problem.invalid(pointer + "/" + name, rule);
  }
}

package dev.cairn.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.StoredJson;
import dev.cairn.query.FieldConditions.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Conditions on the text of stored data, which are cheaper than to parse it: data that fails one
 * does not match; what passes all may or may not. See {@code docs/plans.md}.
 */
final class TextConditions {
  /** Looking for more texts in the data would take as long as parsing it. */
  private static final int MAX_TEXTS = 20;

  /**
   * How many characters of a text are looked for at most, its last ones. The database compares each
   * of them with each character of the data, in the worst case, and cannot be interrupted
   * meanwhile.
   */
  private static final int MAX_LENGTH = 64;

  private static final String HAS_TEXT = "strpos(e.data, ?) > 0";

  /**
   * The member's value is one of several references, however many, also in the form of strings, up
   * to their versions. If more objects of the data have such a member, only the parsed data tells.
   */
  private static final String HAS_REFERENCE =
      """
      (split_part(split_part(split_part(e.data, ?, 2), '"', 1), '@', 1) = any (?)
       or split_part(e.data, ?, 3) <> '')""";

  private final List<String> conditions = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();

  /** All conditions on {@code e.data}; empty if there are none. */
  Optional<String> sql() {
    return conditions.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", conditions));
  }

  /** The values of the parameters of {@link #sql}. */
  List<Object> values() {
    return values;
  }

  /** The data has the field. */
  void requireMember(Field field) {
    conditions.add(HAS_TEXT);
    values.add(end(field.member()));
  }

  /** The value of the field, a string or a list of strings, begins so. */
  void requirePrefix(Field field, String beginning) {
    requireAny(field, textsOf(field, StoredJson.escape(beginning), ""));
  }

  /** With too many texts, data that has the field is parsed. */
  private void requireAny(Field field, List<String> any) {
    if (any.size() > MAX_TEXTS) {
      requireMember(field);
    } else {
      conditions.add("(" + String.join(" or ", Collections.nCopies(any.size(), HAS_TEXT)) + ")");
      any.stream().map(TextConditions::end).forEach(values::add);
    }
  }

  private static String end(String text) {
    int from = Math.max(0, text.length() - MAX_LENGTH);
    return from > 0 && Character.isLowSurrogate(text.charAt(from))
        ? text.substring(from + 1)
        : text.substring(from);
  }

  /** The field has one of several values. */
  void requireAny(Field field, ArrayNode wanted) {
    requireAny(field, wanted.valueStream().flatMap(value -> textsOf(field, value)).toList());
  }

  /** What refers to one of several; it was no reference if the definition has changed. */
  void requireAnyReference(Field field, List<String> references) {
    if (!field.isMember() || references.size() == 1) {
      requireAny(field, references.stream().map(StoredJson::escape).toList());
      return;
    }
    var member = field.member() + '"';
    var names = references.stream().flatMap(TextConditions::asName).toArray(String[]::new);
    conditions.add(HAS_REFERENCE);
    values.addAll(List.of(member, names, member));
  }

  private static Stream<String> asName(String text) {
    int at = text.indexOf('@');
    var name = upToQuotationMark(at < 0 ? text : text.substring(0, at));
    return Stream.of(name, StoredJson.MARK + name);
  }

  private static String upToQuotationMark(String text) {
    var escaped = StoredJson.escape(text);
    int end = escaped.indexOf('"');
    return end < 0 ? escaped : escaped.substring(0, end);
  }

  private static Stream<String> textsOf(Field field, JsonNode value) {
    return value.isTextual()
        ? textsOf(field, StoredJson.escape(value.textValue()), "\"").stream()
        : Stream.of(stored(field, CanonicalJson.of(value)));
  }

  /** A string as it is stored, also as a reference, which it was if the definition has changed. */
  private static List<String> textsOf(Field field, String escaped, String end) {
    return List.of(
        stored(field, "\"" + escaped + end), stored(field, "\"" + StoredJson.MARK + escaped));
  }

  /**
   * A text that stored data with the field must contain.
   *
   * @param value how the value begins in stored data
   */
  private static String stored(Field field, String value) {
    return field.isMember() ? field.member() + value : value;
  }
}

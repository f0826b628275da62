package dev.cairn.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.FieldType;
import dev.cairn.model.StoredJson;
import dev.cairn.query.FieldConditions.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

  /** With more values than this, one look at the member tells first which data has none of them. */
  private static final int MAX_WITHOUT_MEMBER = 4;

  /** Characters from which on a text is taken for rare. */
  private static final int MIN_LENGTH_OF_RARE = 4;

  private static final String HAS_TEXT = "strpos(e.data, ?) > 0";

  /**
   * The member's value begins like one of several, however many: a string up to its next quotation
   * mark. If more objects of the data have such a member, only the parsed data tells.
   */
  private static final String HAS_STRING =
      """
      (split_part(split_part(e.data, ?, 2), '"', 1) = any (?)
       or split_part(e.data, ?, 3) <> '')""";

  /** As {@link #HAS_STRING}, for numbers, which end before the next member or the closing brace. */
  private static final String HAS_NUMBER =
      """
      (rtrim(split_part(split_part(e.data, ?, 2), ',', 1), '}') = any (?)
       or split_part(e.data, ?, 3) <> '')""";

  /** As {@link #HAS_STRING}, for references, also in the form of strings, up to their versions. */
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
    requireAny(List.of(field.member()));
  }

  /** The value of the field, a string or a list of strings, begins so. */
  void requirePrefix(Field field, String beginning) {
    requireAny(textsOf(field, StoredJson.escape(beginning), ""));
  }

  private void requireAny(List<String> any) {
    if (any.size() <= MAX_TEXTS) {
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
    var member = field.member();
    switch (field.type()) {
      case FieldType.StringType _ when field.isMember() && wanted.size() > 1 -> {
        var texts = wanted.valueStream().map(JsonNode::textValue).toList();
        if (texts.stream().anyMatch(TextConditions::mayBeReference)) {
          requireBeginning(HAS_REFERENCE, field, texts.stream().flatMap(TextConditions::asName));
        } else {
          requireBeginning(
              HAS_STRING, field, texts.stream().map(TextConditions::upToQuotationMark));
        }
      }
      case FieldType.NumberType _ when field.isMember() -> {
        var numbers = wanted.valueStream().map(number -> StoredJson.of(number, Map.of()));
        conditions.add(HAS_NUMBER);
        values.addAll(List.of(member, numbers.toArray(String[]::new), member));
      }
      default -> {
        requireMemberForMany(field, wanted.size());
        requireAny(wanted.valueStream().flatMap(value -> textsOf(field, value)).toList());
      }
    }
  }

  private void requireMemberForMany(Field field, int count) {
    if (count > MAX_WITHOUT_MEMBER) {
      requireMember(field);
    }
  }

  /** What refers to one of several; it was no reference if the definition has changed. */
  void requireAnyReference(Field field, List<String> references) {
    if (!field.isMember() || references.size() == 1) {
      requireMemberForMany(field, references.size());
      requireAny(references.stream().map(StoredJson::escape).toList());
      return;
    }
    requireBeginning(HAS_REFERENCE, field, references.stream().flatMap(TextConditions::asName));
  }

  private void requireBeginning(String condition, Field field, Stream<String> any) {
    var string = field.member() + '"';
    conditions.add(condition);
    values.addAll(List.of(string, any.toArray(String[]::new), string));
  }

  private static Stream<String> asName(String text) {
    int at = text.indexOf('@');
    var name = upToQuotationMark(at < 0 ? text : text.substring(0, at));
    return Stream.of(name, StoredJson.MARK + name);
  }

  private static boolean mayBeReference(String text) {
    return text.indexOf('/') >= 0;
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

  /**
   * A string as it is stored, also as a reference, which it was if the definition has changed. In a
   * list, a string that is not short is rare enough to be looked for once, for both.
   */
  private static List<String> textsOf(Field field, String escaped, String end) {
    if (!field.isMember() && escaped.length() >= MIN_LENGTH_OF_RARE) {
      return List.of(escaped);
    }
    var asString = stored(field, "\"" + escaped + end);
    return end.isEmpty() || mayBeReference(escaped)
        ? List.of(asString, stored(field, "\"" + StoredJson.MARK + escaped))
        : List.of(asString);
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

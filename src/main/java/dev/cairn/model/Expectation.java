package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/** Types and values in words, for the violations of a validation. */
final class Expectation {
  private Expectation() {}

  /** The values that the type allows, with all its constraints. */
  static String of(FieldType type) {
    return switch (type) {
      case FieldType.StringType string -> joined("a string", string(string));
      case FieldType.NumberType number ->
          joined(number.isInteger() ? "an integer" : "a number", number(number));
      case FieldType.BooleanType _ -> "true or false";
      case FieldType.WrefType wref ->
          wref.shape() == null ? "a wref" : "a wref to a " + wref.shape();
      case FieldType.ArrayType array ->
          joined("an array", count(array.minItems(), array.maxItems(), "items"));
      case FieldType.ObjectType _ -> "an object";
      case FieldType.AnyType _ -> "any value";
    };
  }

  /** The actual value, shortened. */
  static String found(JsonNode value) {
    return switch (value) {
      case null -> "nothing";
      case JsonNode object when object.isObject() -> "an object";
      case JsonNode array when array.isArray() -> "an array of " + array.size() + " items";
      case JsonNode text when text.isTextual() -> found(text.textValue());
      default -> Excerpt.of(CanonicalJson.of(value));
    };
  }

  private static String found(String text) {
    int length = text.codePointCount(0, text.length());
    return "the string " + Excerpt.quoted(text) + " of " + length + " characters";
  }

  private static List<String> string(FieldType.StringType type) {
    var words = count(type.minLength(), type.maxLength(), "characters");
    if (type.pattern() != null) {
      words.add("in which the pattern " + Excerpt.of(type.pattern().pattern()) + " is found");
    }
    if (type.allowed() != null) {
      words.add("out of " + Excerpt.of(beginning(type.allowed())));
    }
    return words;
  }

  /** More than an excerpt has: there may be thousands of values. */
  private static String beginning(Set<String> values) {
    var joined = new StringJoiner(", ");
    for (var value : values) {
      if (joined.length() > Excerpt.MAX_CHARACTERS) {
        break;
      }
      joined.add(Excerpt.cut(value, Excerpt.MAX_CHARACTERS + 1));
    }
    return joined.toString();
  }

  private static List<String> number(FieldType.NumberType type) {
    var words = new ArrayList<String>();
    if (type.minimum() != null) {
      words.add("of at least " + plain(type.minimum()));
    }
    if (type.maximum() != null) {
      words.add("of at most " + plain(type.maximum()));
    }
    return words;
  }

  private static String plain(double number) {
    var out = new StringBuilder();
    EcmaNumber.append(number, out);
    return out.toString();
  }

  private static List<String> count(Long min, Long max, String unit) {
    var words = new ArrayList<String>();
    if (min != null) {
      words.add("of at least " + min + " " + unit);
    }
    if (max != null) {
      words.add("of at most " + max + " " + unit);
    }
    return words;
  }

  private static String joined(String noun, List<String> words) {
    return words.isEmpty() ? noun : noun + " " + String.join(", ", words);
  }
}

package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes compact JSON with the string and number format of RFC 8785, with members sorted or not.
 */
final class JsonWriter {
  private static final double FIRST_INEXACT = 0x1p53;
  private static final double FIRST_WITH_EXPONENT = 1e21;

  private final boolean sorted;
  private final boolean marked;
  private final Map<JsonNode, String> references;
  private final Consumer<StringBuilder> afterValue;
  private final StringBuilder out = new StringBuilder();

  /**
   * Creates a writer for one text.
   *
   * @param sorted whether members are written in the order of RFC 8785 instead of their own
   * @param marked whether references are written between marks
   * @param references an identity map from a node to the text that replaces it
   * @param afterValue is given what is written so far after each value; it may empty it
   */
  JsonWriter(
      boolean sorted,
      boolean marked,
      Map<JsonNode, String> references,
      Consumer<StringBuilder> afterValue) {
    this.sorted = sorted;
    this.marked = marked;
    this.references = references;
    this.afterValue = afterValue;
  }

  String write(JsonNode node) {
    value(node);
    return out.toString();
  }

  private void value(JsonNode node) {
    switch (node.getNodeType()) {
      case OBJECT -> object(node);
      case ARRAY -> array(node);
      case STRING -> text(node);
      case NUMBER -> number(node);
      case BOOLEAN -> out.append(node.booleanValue());
      case NULL -> out.append("null");
      case BINARY, MISSING, POJO ->
          throw new IllegalArgumentException("not a JSON value: " + node.getNodeType());
    }
    afterValue.accept(out);
  }

  private void object(JsonNode node) {
    out.append('{');
    boolean first = true;
    for (var member : members(node)) {
      if (!first) {
        out.append(',');
      }
      first = false;
      out.append('"');
      escape(member.getKey(), out);
      out.append("\":");
      value(member.getValue());
    }
    out.append('}');
  }

  private Iterable<Map.Entry<String, JsonNode>> members(JsonNode node) {
    if (!sorted) {
      return node.properties();
    }
    // String compares by UTF-16 code units, as RFC 8785 requires
    List<Map.Entry<String, JsonNode>> members = new ArrayList<>(node.properties());
    members.sort(Comparator.comparing(Map.Entry::getKey));
    return members;
  }

  private void array(JsonNode node) {
    out.append('[');
    for (int i = 0; i < node.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      value(node.get(i));
    }
    out.append(']');
  }

  private void text(JsonNode node) {
    var reference = references.get(node);
    out.append('"');
    if (reference == null) {
      escape(node.textValue(), out);
    } else if (marked) {
      out.append(StoredJson.MARK);
      escape(reference, out);
      out.append(StoredJson.MARK);
    } else {
      escape(reference, out);
    }
    out.append('"');
  }

  private void number(JsonNode node) {
    if (node.isInt() || node.isShort()) {
      out.append(node.intValue());
    } else {
      double value = node.doubleValue();
      EcmaNumber.append(value, out);
      if (!sorted && wouldReadAsTooLargeInteger(Math.abs(value))) {
        out.append(".0");
      }
    }
  }

  /** Stored JSON is read again by {@link IJson}, which refuses an integer beyond 2^53-1. */
  private static boolean wouldReadAsTooLargeInteger(double value) {
    return value >= FIRST_INEXACT && value < FIRST_WITH_EXPONENT;
  }

  /** Appends {@code text}, escaped for use between the quotes of a JSON string. */
  static void escape(String text, StringBuilder out) {
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        out.append(text, from, i);
        escape(c, out);
        from = i + 1;
      }
    }
    out.append(text, from, text.length());
  }

  private static void escape(char c, StringBuilder out) {
    switch (c) {
      case '"', '\\' -> out.append('\\').append(c);
      case '\b' -> out.append("\\b");
      case '\t' -> out.append("\\t");
      case '\n' -> out.append("\\n");
      case '\f' -> out.append("\\f");
      case '\r' -> out.append("\\r");
      default ->
          out.append("\\u00").append(c < 16 ? '0' : '1').append(Character.forDigit(c & 15, 16));
    }
  }
}

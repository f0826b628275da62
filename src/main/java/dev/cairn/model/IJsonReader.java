package dev.cairn.model;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Builds one value from a parser's tokens, and keeps the pointer to its position in the value. */
final class IJsonReader {
  private static final long MAX_EXACT = (1L << 53) - 1;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonParser parser;
  private final String root;
  private final int outerDepth;
  private final Allowance values;

  /** Member names and indexes from the root to the current value; joined only for a problem. */
  private final Deque<Object> path = new ArrayDeque<>();

  IJsonReader(JsonParser parser, String root, int outerDepth, Allowance values) {
    this.parser = parser;
    this.root = root;
    this.outerDepth = outerDepth;
    this.values = values;
  }

  /** The value of the input, which must have exactly one. */
  JsonNode document() throws IOException {
    try {
      if (parser.nextToken() == null) {
        throw Problem.invalid(root, "A JSON value was expected, but the body is empty");
      }
      var node = node();
      if (parser.nextToken() != null) {
        throw Problem.invalid(
            root, "Only one JSON value is allowed; more text follows" + location());
      }
      return node;
    } catch (JsonProcessingException | CharacterCodingException e) {
      throw malformed(e);
    }
  }

  /** The value that begins at the current token. */
  JsonNode value() throws IOException {
    try {
      return node();
    } catch (JsonProcessingException | CharacterCodingException e) {
      throw malformed(e);
    }
  }

  private JsonNode node() throws IOException {
    count();
    return switch (parser.currentToken()) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
      case VALUE_STRING -> TextNode.valueOf(checked(parser.getText()));
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> decimal();
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case null, default ->
          throw Problem.invalid(pointer(), "A JSON value was expected" + location());
    };
  }

  private ObjectNode object() throws IOException {
    requireDepth();
    var object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = checked(parser.currentName());
      path.addLast(name);
      count();
      if (object.has(name)) {
        throw Problem.invalid(pointer(), "The member occurs twice in its object");
      }
      parser.nextToken();
      object.set(name, node());
      path.removeLast();
    }
    return object;
  }

  private ArrayNode array() throws IOException {
    requireDepth();
    var array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      path.addLast(array.size());
      array.add(node());
      path.removeLast();
    }
    return array;
  }

  private void count() {
    if (!values.take(1)) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "At most %,d JSON values and member names are read here".formatted(values.amount()))
          .at(pointer());
    }
  }

  private void requireDepth() {
    if (outerDepth + path.size() >= IJson.MAX_DEPTH) {
      throw Problem.invalid(pointer(), "JSON may nest at most " + IJson.MAX_DEPTH + " levels deep");
    }
  }

  private JsonNode integer() throws IOException {
    var type = parser.getNumberType();
    if (type == JsonParser.NumberType.INT) {
      return NODES.numberNode(parser.getIntValue());
    }
    long value = type == JsonParser.NumberType.LONG ? parser.getLongValue() : Long.MAX_VALUE;
    if (value < -MAX_EXACT || value > MAX_EXACT) {
      throw Problem.invalid(
          pointer(), "An integer must lie between -9007199254740991 and 9007199254740991");
    }
    return NODES.numberNode(value);
  }

  private JsonNode decimal() throws IOException {
    double value = parser.getDoubleValue();
    if (!Double.isFinite(value)) {
      throw Problem.invalid(pointer(), "The number is too large for a double");
    }
    return DoubleNode.valueOf(value);
  }

  private String checked(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw Problem.invalid(pointer(), "A string or member name contains the character U+0000");
      }
      if (Character.isSurrogate(c)) {
        boolean paired = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
        if (!paired) {
          throw Problem.invalid(pointer(), "A string or member name contains a lone surrogate");
        }
        i++;
      }
    }
    return text;
  }

  private String pointer() {
    var pointer = root;
    for (var step : path) {
      pointer =
          step instanceof Integer index
              ? IJson.pointer(pointer, index)
              : IJson.pointer(pointer, (String) step);
    }
    return pointer;
  }

  /** The problem has its own text, because the parser's messages name its classes and options. */
  Problem malformed(IOException e) {
    var reason =
        switch (e) {
          case CharacterCodingException _ -> "The text is not valid UTF-8";
          case JsonEOFException _ -> "The JSON ends too early";
          case StreamConstraintsException _ -> "A string, name or number is longer than allowed";
          default -> "The JSON is malformed";
        };
    return Problem.invalid(pointer(), reason + location());
  }

  private String location() {
    var location = parser.currentLocation();
    return " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }
}

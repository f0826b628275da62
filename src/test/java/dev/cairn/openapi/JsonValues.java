package dev.cairn.openapi;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import groovy.json.JsonException;
import groovy.lang.MetaClass;
import io.restassured.internal.path.json.ConfigurableJsonSlurper;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;

/**
 * Reads answers for RestAssured, to the values that it makes of them by itself: its own reader asks
 * Groovy what to call at each value, which took a seventh of the tests' processor time.
 */
final class JsonValues extends Replacement {
  private static final BigDecimal MAX_FLOAT = new BigDecimal(Float.MAX_VALUE);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Replaces what RestAssured calls to read a text, and what that calls with a reader of it. */
  private JsonValues(MetaClass original) {
    super(original, "parseText", "parse");
  }

  /** Has RestAssured read answers in this way. */
  static void install() {
    install(ConfigurableJsonSlurper.class, JsonValues::new);
  }

  @Override
  Object call(Object receiver, Object[] arguments) {
    return read(arguments[0]);
  }

  private static Object read(Object source) {
    try (var parser = MAPPER.createParser(text(source))) {
      var first = parser.nextToken();
      if (first == null) {
        return null;
      }
      if (!first.isStructStart()) {
        throw new JsonException("neither an object nor an array");
      }
      return value(parser);
    } catch (IOException e) {
      throw new JsonException(e.getMessage(), e);
    }
  }

  private static String text(Object source) throws IOException {
    if (source instanceof String text) {
      return text;
    }
    // Character by character, since Groovy's reader fails for longer pieces.
    var reader = (Reader) source;
    var text = new StringBuilder();
    for (int next = reader.read(); next >= 0; next = reader.read()) {
      text.append((char) next);
    }
    return text.toString();
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        var members = new HashMap<String, Object>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = parser.currentName();
          parser.nextToken();
          members.put(name, value(parser));
        }
        yield members;
      }
      case START_ARRAY -> {
        var elements = new ArrayList<Object>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(value(parser));
        }
        yield elements;
      }
      case VALUE_NUMBER_INT -> parser.getNumberValue();
      case VALUE_NUMBER_FLOAT -> fraction(parser.getDecimalValue());
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  /** In this form, matchers of tests compare with {@code 21.5f}. */
  private static Number fraction(BigDecimal number) {
    return number.compareTo(MAX_FLOAT) > 0 ? (Number) number.doubleValue() : number.floatValue();
  }
}

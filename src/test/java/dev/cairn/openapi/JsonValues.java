package dev.cairn.openapi;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import groovy.json.JsonException;
import groovy.lang.DelegatingMetaClass;
import groovy.lang.GroovySystem;
import groovy.lang.MetaClass;
import io.restassured.internal.path.json.ConfigurableJsonSlurper;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Set;

/**
 * Reads answers for RestAssured, to the values that it makes of them by itself: its own reader asks
 * Groovy what to call at each value, which took a seventh of the tests' processor time.
 */
final class JsonValues extends DelegatingMetaClass {
  /** What RestAssured calls to read a text, and what that calls with a reader of it. */
  private static final Set<String> PARSE = Set.of("parseText", "parse");

  private static final BigDecimal MAX_FLOAT = new BigDecimal(Float.MAX_VALUE);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonValues(MetaClass original) {
    super(original);
  }

  /** Has RestAssured read answers in this way. */
  static void install() {
    var registry = GroovySystem.getMetaClassRegistry();
    registry.removeMetaClass(ConfigurableJsonSlurper.class);
    var values = new JsonValues(registry.getMetaClass(ConfigurableJsonSlurper.class));
    values.initialize();
    registry.setMetaClass(ConfigurableJsonSlurper.class, values);
  }

  @Override
  public Object invokeMethod(Object object, String name, Object[] arguments) {
    return PARSE.contains(name) ? read(arguments[0]) : super.invokeMethod(object, name, arguments);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Object invokeMethod(
      Class sender,
      Object receiver,
      String name,
      Object[] arguments,
      boolean isCallToSuper,
      boolean fromInsideClass) {
    return PARSE.contains(name)
        ? read(arguments[0])
        : super.invokeMethod(sender, receiver, name, arguments, isCallToSuper, fromInsideClass);
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

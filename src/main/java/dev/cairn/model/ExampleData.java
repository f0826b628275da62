package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes example data that is valid for a shape, for readers who do not know the shape yet; see
 * {@code docs/reads.md}, Describe. Candidate values are tried, not derived from the constraints: if
 * no common text matches a pattern, a stored value is used, or no example is made.
 */
public final class ExampleData {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** The maximum number of characters of one text. */
  private static final int MAX_TEXT = 20_000;

  /**
   * The maximum number of characters in all examples together, values counted as {@link
   * #VALUE_SIZE}.
   */
  private static final int MAX_SIZE = 1_000_000;

  /** The size that a value counts besides its characters, for its node in memory. */
  private static final int VALUE_SIZE = 10;

  /** The maximum number of validation steps for all examples together. */
  private static final long MAX_STEPS = 10_000_000;

  private static final int MAX_REPEATS = 40;

  private static final String[] COMMON_TEXTS = {
    "example",
    "Example",
    "2026-01-31",
    "2026-01-31T12:00:00Z",
    "12:00",
    "example@example.org",
    "https://example.org/",
    "example.org",
    "en",
    "en-GB",
    "EUR",
    "1.0",
    "1.0.0",
    "#336699",
    "+41441234567",
    "192.0.2.1",
    "A-1",
    "A1",
    "00000000-0000-4000-8000-000000000000"
  };

  private final Function<Optional<String>, Optional<String>> targets;
  private final ValidationBudget budget =
      new ValidationBudget(new Allowance(1), new Allowance(1), new Allowance(MAX_STEPS));
  private final Allowance size = new Allowance(MAX_SIZE);

  /**
   * For the examples of one answer.
   *
   * @param targets finds the wref of an entity to refer to, of the named shape or of any shape
   */
  public ExampleData(Function<Optional<String>, Optional<String>> targets) {
    this.targets = targets;
  }

  /**
   * Data that is valid for the definition; empty if none was found.
   *
   * @param stored data of an entity of the shape, whose values may be used; may be a missing node
   */
  public Optional<JsonNode> of(ShapeDefinition definition, JsonNode stored) {
    return object(definition.fields(), stored).filter(data -> isValid(definition, data));
  }

  private boolean isValid(ShapeDefinition definition, JsonNode data) {
    return DataValidator.validate(definition, data, budget).violations().isEmpty();
  }

  private Optional<JsonNode> object(Map<String, ShapeDefinition.Field> fields, JsonNode stored) {
    var object = NODES.objectNode();
    for (var field : fields.values()) {
      var value =
          size.take(field.name().length())
              ? value(field.type(), stored.path(field.name()))
              : Optional.<JsonNode>empty();
      if (value.isPresent()) {
        object.set(field.name(), value.get());
      } else if (!field.optional()) {
        return Optional.empty();
      }
    }
    return Optional.of(object);
  }

  private Optional<JsonNode> value(FieldType type, JsonNode stored) {
    if (!size.take(VALUE_SIZE)) {
      return Optional.empty();
    }
    return switch (type) {
      case FieldType.StringType string -> first(string, Stream.concat(kept(stored), texts(string)));
      case FieldType.NumberType number ->
          first(number, Stream.concat(kept(stored), numbers(number)));
      case FieldType.BooleanType _ -> Optional.of(NODES.booleanNode(true));
      case FieldType.WrefType(String shape) ->
          targets.apply(Optional.ofNullable(shape)).map(NODES::textNode);
      case FieldType.ArrayType array -> array(array, stored.path(0));
      case FieldType.ObjectType(var fields) -> object(fields, stored);
      case FieldType.AnyType _ -> Optional.of(NODES.textNode(COMMON_TEXTS[0]));
    };
  }

  private static Stream<JsonNode> kept(JsonNode stored) {
    return stored.isValueNode() && !stored.isNull() ? Stream.of(stored) : Stream.empty();
  }

  /** The first candidate that is valid for the type; empty if the size budget is used up. */
  private Optional<JsonNode> first(FieldType type, Stream<JsonNode> candidates) {
    var alone = Map.of("value", new ShapeDefinition.Field("value", type, false, null));
    var definition = new ShapeDefinition(null, null, alone, 0);
    return candidates
        .filter(value -> isValid(definition, NODES.objectNode().set("value", value)))
        .findFirst()
        .filter(value -> size.take(value.asText().length()));
  }

  private static Stream<JsonNode> texts(FieldType.StringType type) {
    if (type.allowed() != null) {
      return type.allowed().stream().map(NODES::textNode);
    }
    long minimum = type.minLength() == null ? 0 : type.minLength();
    // A pattern may require any length, so several are tried; otherwise the minimum is enough.
    var counts =
        type.pattern() == null
            ? IntStream.of((int) Math.min(minimum, MAX_TEXT))
            : IntStream.rangeClosed(1, MAX_REPEATS);
    var repeated =
        counts.boxed().flatMap(n -> Stream.of("a", "A", "0", "Aa").map(unit -> unit.repeat(n)));
    return Stream.concat(Stream.of(COMMON_TEXTS), repeated).map(NODES::textNode);
  }

  private static Stream<JsonNode> numbers(FieldType.NumberType type) {
    double minimum = type.minimum() == null ? 1 : type.minimum();
    double maximum = type.maximum() == null ? minimum : type.maximum();
    return DoubleStream.of(
            1,
            0,
            Math.ceil(minimum),
            Math.floor(maximum),
            minimum,
            maximum,
            (minimum + maximum) / 2)
        .mapToObj(
            d ->
                d == Math.rint(d) && Math.abs(d) < 1e15
                    ? NODES.numberNode((long) d)
                    : NODES.numberNode(d));
  }

  private Optional<JsonNode> array(FieldType.ArrayType type, JsonNode stored) {
    long minimum = type.minItems() == null ? 0 : type.minItems();
    var array = NODES.arrayNode();
    for (long i = 0; i < Math.max(minimum, canHaveItem(type) ? 1 : 0); i++) {
      var item = value(type.items(), stored);
      if (item.isEmpty()) {
        return i < minimum ? Optional.empty() : Optional.of(array);
      }
      array.add(item.get());
    }
    return Optional.of(array);
  }

  private static boolean canHaveItem(FieldType.ArrayType type) {
    return type.maxItems() == null || type.maxItems() > 0;
  }
}

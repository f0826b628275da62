package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the data of a shape's things looks like, see {@code docs/model.md}, Shapes.
 *
 * @param description a sentence for people, or null
 * @param fields by name without {@code ?}, in the order of the definition
 * @param sizeOfPatterns of all patterns together, with their repetitions written out
 */
public record ShapeDefinition(String description, Map<String, Field> fields, long sizeOfPatterns) {
  /** How long the canonical text of a definition may be, in bytes of UTF-8. */
  private static final int MAX_BYTES = 64 * 1024;

  /** How many fields a definition may have, those of nested objects counted. */
  private static final int MAX_FIELDS = 1_000;

  /**
   * One declared field.
   *
   * @param name without {@code ?}
   * @param type what its value must be
   * @param optional whether it may be absent or null
   * @param description a sentence for people, or null
   */
  public record Field(String name, FieldType type, boolean optional, String description) {}

  /** Keeps the order of the fields and lets nobody change them. */
  public ShapeDefinition {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /**
   * Reads a definition.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} with the violations; the pointers begin at
   *     the definition
   */
  public static ShapeDefinition parse(JsonNode definition) {
    var unlimited = new Allowance(Long.MAX_VALUE);
    var budget = new ValidationBudget(new Allowance(Violations.LISTED), unlimited, unlimited);
    return new ShapeParser(budget, unlimited).parse(definition);
  }

  /**
   * Reads a definition that is to be stored, which also has limits of size.
   *
   * @param budget that of the whole commit
   * @throws Problem as {@link #parse} does
   */
  public static ShapeDefinition parseNew(JsonNode definition, ValidationBudget budget) {
    // Before it is read: what is too large is not worth the work.
    int bytes = CanonicalJson.of(definition).getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw Problem.invalid(
          "", "A shape definition has at most %,d bytes, not %,d.".formatted(MAX_BYTES, bytes));
    }
    var patterns = new Allowance(PatternSize.MAX_OF_SHAPE);
    var parsed = new ShapeParser(budget, patterns).parse(definition);
    int count = count(new FieldType.ObjectType(parsed.fields()));
    if (count > MAX_FIELDS) {
      throw Problem.invalid(
          "/fields",
          "A shape definition has at most %,d fields, nested ones counted, not %,d."
              .formatted(MAX_FIELDS, count));
    }
    return parsed;
  }

  private static int count(FieldType type) {
    return switch (type) {
      case FieldType.ObjectType(var fields) ->
          fields.size() + fields.values().stream().mapToInt(field -> count(field.type())).sum();
      case FieldType.ArrayType array -> count(array.items());
      default -> 0;
    };
  }

  /**
   * The shapes that a valid definition names, by identity of the text nodes that name them: the
   * values of {@code shape} constraints at any depth.
   */
  public static Map<JsonNode, String> shapeNames(JsonNode definition) {
    var names = new IdentityHashMap<JsonNode, String>();
    collectFromFields(definition.path("fields"), names);
    return names;
  }

  private static void collectFromFields(JsonNode fields, IdentityHashMap<JsonNode, String> names) {
    for (var type : fields) {
      collect(type, names);
    }
  }

  private static void collect(JsonNode type, IdentityHashMap<JsonNode, String> names) {
    if (type.isArray() || !ShapeParser.isTyped(type)) {
      collectFromFields(type, names);
      return;
    }
    var shape = type.get("shape");
    if (shape != null && shape.isTextual()) {
      names.put(shape, shape.textValue());
    }
    collect(type.path("items"), names);
  }
}

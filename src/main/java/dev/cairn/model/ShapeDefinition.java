package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The structure of the data of a shape's things, see {@code docs/model.md}, Shapes.
 *
 * @param description a sentence for people, or null
 * @param about what its entities may be about; null if that is free
 * @param fields by name without {@code ?}, in the order of the definition
 * @param sizeOfPatterns size of all patterns together, with their repetitions expanded
 */
public record ShapeDefinition(
    String description, AboutRule about, Map<String, Field> fields, long sizeOfPatterns) {

  /** The members of a definition. */
  public static final Set<String> MEMBERS = Set.of("about", "description", "fields");

  /** Maximum length of the canonical text of a definition, in bytes of UTF-8. */
  private static final int MAX_BYTES = 64 * 1024;

  /** Maximum number of fields of a definition, including those of nested objects. */
  private static final int MAX_FIELDS = 1_000;

  /**
   * One declared field.
   *
   * @param name without {@code ?}
   * @param type the type of its value
   * @param optional whether it may be absent or null
   * @param description a sentence for people, or null
   */
  public record Field(String name, FieldType type, boolean optional, String description) {}

  /** Copies the fields into an unmodifiable map that keeps their order. */
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
    var budget = new ValidationBudget(new Allowance(Violations.MAX_LISTED), unlimited, unlimited);
    return new ShapeParser(budget, unlimited, _ -> {}).parse(definition);
  }

  /**
   * Reads a definition that is to be stored, for which size limits also apply.
   *
   * @param budget the budget of the whole commit
   * @param globSyntax throws a problem if a text is not a glob
   * @throws Problem as {@link #parse} does
   */
  public static ShapeDefinition parseNew(
      JsonNode definition, ValidationBudget budget, Consumer<String> globSyntax) {
    // Checked before it is parsed: a definition that is too large is not worth the work.
    boolean isTooLong =
        CanonicalJson.of(definition, Map.of(), MAX_BYTES)
            .filter(text -> text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES)
            .isEmpty();
    if (isTooLong) {
      throw Problem.invalid(
          "", "A shape definition may have at most %,d bytes.".formatted(MAX_BYTES));
    }
    var patterns = new Allowance(PatternSize.MAX_OF_SHAPE);
    var parsed = new ShapeParser(budget, patterns, globSyntax).parse(definition);
    int count = count(new FieldType.ObjectType(parsed.fields()));
    if (count > MAX_FIELDS) {
      throw Problem.invalid(
          "/fields",
          "A shape definition may have at most %,d fields including nested ones, not %,d."
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
   * The text nodes of a valid definition that name shapes, in order: the values of {@code shape}
   * constraints at any depth, and the shapes in {@code about}.
   */
  public static List<JsonNode> shapeNames(JsonNode definition) {
    var names = new ArrayList<JsonNode>();
    collectFromFields(definition.path("fields"), names);
    for (var entry : definition.path("about")) {
      if (entry.isTextual() && Names.isShape(entry.textValue())) {
        names.add(entry);
      }
    }
    return names;
  }

  private static void collectFromFields(JsonNode fields, List<JsonNode> names) {
    for (var type : fields) {
      collect(type, names);
    }
  }

  private static void collect(JsonNode type, List<JsonNode> names) {
    if (type.isArray() || !ShapeParser.isTyped(type)) {
      collectFromFields(type, names);
      return;
    }
    var shape = type.get("shape");
    if (shape != null && shape.isTextual()) {
      names.add(shape);
    }
    collect(type.path("items"), names);
  }
}

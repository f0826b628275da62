package dev.cairn.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Predicates;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.FieldType;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import dev.cairn.query.Where.Op;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes one condition of all predicates on fields: a JSON path over the data, typed by the shape's
 * definition, with the values as its variables. See {@code docs/reads.md}, Fields.
 *
 * <p>Lax paths never fail: what an older version of the shape left with another type is compared
 * with nothing, and matches nothing.
 */
final class FieldConditions {
  private static final int LISTED = 50;

  private final RepositoryAccess access;
  private final ShapeDefinition definition;
  private final List<String> conditions = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private final ObjectNode variables = JsonNodeFactory.instance.objectNode();

  /**
   * A declared field.
   *
   * @param type that of its values, or of the elements of its arrays
   * @param field the path to it
   * @param values the path to it, or to the elements
   * @param asDeclared that the data on the way there, as far as the first array, is of the declared
   *     types: a path would enter any array, and take any value for an array of one
   */
  private record Field(FieldType type, String field, String values, String asDeclared) {}

  private FieldConditions(RepositoryAccess access, ShapeDefinition definition) {
    this.access = access;
    this.definition = definition;
  }

  /** Narrows to the entities whose data fulfils all predicates. */
  static void narrow(
      Predicates where, RepositoryAccess access, ShapeDefinition definition, List<Where> all) {
    var made = new FieldConditions(access, definition);
    all.forEach(made::add);
    // Before data is parsed at all: a text that it must hold.
    made.texts.forEach(text -> where.and("strpos(e.data, ?) > 0", text));
    where.and(
        "jsonb_path_exists(replace(e.data, chr(1), '')::jsonb, ?::jsonpath, ?::jsonb)",
        "$ ? (" + String.join(" && ", made.conditions) + ")",
        CanonicalJson.of(made.variables));
  }

  private void add(Where where) {
    var place = place(where);
    var allowed = allowed(place.type());
    if (!allowed.contains(where.op())) {
      throw where.refused("its field takes only " + Where.names(allowed) + ".");
    }
    if (where.op() == Op.EXISTS) {
      conditions.add(flag(where).booleanValue() ? there(place) : "!" + there(place));
    } else {
      conditions.add("(%s%s)".formatted(place.asDeclared(), compared(where, place)));
    }
  }

  private String compared(Where where, Field place) {
    return switch (where.op()) {
      case EQ, IN -> anyValue(place, equal(where, place));
      case NE ->
          "%s && !%s"
              .formatted(there(place), anyValue(place, otherType(place) + equal(where, place)));
      case GT -> anyValue(place, "@ > " + variable(values(where, place)));
      case GTE -> anyValue(place, "@ >= " + variable(values(where, place)));
      case LT -> anyValue(place, "@ < " + variable(values(where, place)));
      case LTE -> anyValue(place, "@ <= " + variable(values(where, place)));
      case PREFIX -> anyValue(place, "@ starts with " + variable(new TextNode(where.value())));
      case EXISTS -> throw new IllegalStateException("asks nothing of the value");
    };
  }

  private static Set<Op> allowed(FieldType type) {
    return switch (type) {
      case FieldType.StringType _ -> EnumSet.allOf(Op.class);
      case FieldType.NumberType _ -> EnumSet.complementOf(EnumSet.of(Op.PREFIX));
      case FieldType.BooleanType _ -> EnumSet.of(Op.EQ, Op.NE, Op.EXISTS);
      case FieldType.WrefType _, FieldType.AnyType _ ->
          EnumSet.of(Op.EQ, Op.NE, Op.PREFIX, Op.IN, Op.EXISTS);
      case FieldType.ObjectType _, FieldType.ArrayType _ -> EnumSet.of(Op.EXISTS);
    };
  }

  /** Neither absent nor null. */
  private static String there(Field place) {
    return "(" + place.field() + ".type() != \"null\")";
  }

  /**
   * That the value, or an element, is so. One by one, since the database can be stopped between two
   * of them, but not within a comparison of all with all.
   */
  private static String anyValue(Field place, String test) {
    return "exists(%s ? (%s))".formatted(place.values(), test);
  }

  private String equal(Where where, Field place) {
    if (place.type() instanceof FieldType.WrefType) {
      return where.values().stream()
          .map(text -> refersTo(where, text))
          .collect(Collectors.joining(" || "));
    }
    if (place.type() instanceof FieldType.StringType) {
      holds(where, "\"" + StoredJson.escape(where.value()) + "\"");
    }
    return "@ == " + variable(values(where, place));
  }

  /** What has another type than the field is not unequal either. */
  private static String otherType(Field place) {
    return switch (place.type()) {
      case FieldType.StringType _, FieldType.WrefType _ -> "@.type() != \"string\" || ";
      case FieldType.NumberType _ -> "@.type() != \"number\" || ";
      case FieldType.BooleanType _ -> "@.type() != \"boolean\" || ";
      case FieldType.AnyType _, FieldType.ObjectType _, FieldType.ArrayType _ -> "";
    };
  }

  /** The values as the field has them. */
  private static ArrayNode values(Where where, Field place) {
    var values = JsonNodeFactory.instance.arrayNode();
    return values.addAll(
        switch (place.type()) {
          case FieldType.StringType _ -> strings(where);
          case FieldType.NumberType _ -> numbers(where);
          case FieldType.BooleanType _ -> List.of(flag(where));
          case FieldType.AnyType _ -> readings(where);
          case FieldType.WrefType _, FieldType.ObjectType _, FieldType.ArrayType _ ->
              throw new IllegalStateException("compared by other means, or not at all");
        });
  }

  /** A reference is stored with the version that it is pinned to. */
  private String refersTo(Where where, String text) {
    var wref = wref(where, text);
    boolean pinned = wref.modifier() instanceof Wref.Modifier.Pinned;
    if (!pinned && !(wref.modifier() instanceof Wref.Modifier.None)) {
      throw where.refused("a reference is compared without a version, or with one like @v2.");
    }
    var stored = pinned ? wref.toString() : wref + "@v";
    holds(where, StoredJson.escape(stored));
    return "@ %s %s".formatted(pinned ? "==" : "starts with", variable(new TextNode(stored)));
  }

  private Wref wref(Where where, String text) {
    try {
      return Targets.local(access, Wref.parse(text));
    } catch (Problem e) {
      throw where.refused(e.getMessage());
    }
  }

  /** Remembers a text that the data must hold, where one value must be there. */
  private void holds(Where where, String text) {
    if (where.op() == Op.EQ) {
      texts.add(text);
    }
  }

  private static List<JsonNode> strings(Where where) {
    return where.values().stream().<JsonNode>map(TextNode::new).toList();
  }

  private static List<JsonNode> numbers(Where where) {
    return where.values().stream()
        .map(
            text ->
                number(text)
                    .orElseThrow(
                        () -> where.refused("its field takes a JSON number, such as 1.5.")))
        .toList();
  }

  private static Optional<JsonNode> number(String text) {
    try {
      return Optional.of(IJson.read(text.getBytes(StandardCharsets.UTF_8)))
          .filter(JsonNode::isNumber);
    } catch (Problem e) {
      return Optional.empty();
    }
  }

  private static BooleanNode flag(Where where) {
    return switch (where.value()) {
      case "true" -> BooleanNode.TRUE;
      case "false" -> BooleanNode.FALSE;
      default -> throw where.refused("its value must be true or false.");
    };
  }

  /** The strings, and the numbers and truth values that read the same. */
  private static List<JsonNode> readings(Where where) {
    var readings = new ArrayList<>(strings(where));
    for (var text : where.values()) {
      number(text).ifPresent(readings::add);
      if (text.equals("true") || text.equals("false")) {
        readings.add(BooleanNode.valueOf(text.equals("true")));
      }
    }
    return readings;
  }

  private String variable(JsonNode value) {
    var name = "v" + variables.size();
    variables.set(name, value);
    return "$" + name;
  }

  /** The field that a predicate names. */
  private Field place(Where where) {
    FieldType type = new FieldType.ObjectType(definition.fields());
    var field = new StringBuilder("$");
    var asDeclared = new StringBuilder();
    var values = "";
    boolean inArray = false;
    for (var name : where.path()) {
      field.append(values);
      var declared =
          type instanceof FieldType.ObjectType(var fields)
              ? Optional.ofNullable(fields.get(name))
              : Optional.<ShapeDefinition.Field>empty();
      type = declared.orElseThrow(() -> undeclared(where)).type();
      field.append(".\"").append(name).append('"');
      if (!inArray) {
        asDeclared.append(isOfType(field, type));
      }
      inArray |= type instanceof FieldType.ArrayType;
      values = "";
      while (type instanceof FieldType.ArrayType array) {
        type = array.items();
        values += "[*]";
      }
    }
    return new Field(type, field.toString(), field + values, asDeclared.toString());
  }

  private static String isOfType(CharSequence path, FieldType type) {
    var name =
        switch (type) {
          case FieldType.StringType _, FieldType.WrefType _ -> "string";
          case FieldType.NumberType _ -> "number";
          case FieldType.BooleanType _ -> "boolean";
          case FieldType.ObjectType _ -> "object";
          case FieldType.ArrayType _ -> "array";
          case FieldType.AnyType _ -> null;
        };
    return name == null ? "" : "%s.type() == \"%s\" && ".formatted(path, name);
  }

  private Problem undeclared(Where where) {
    var all = new ArrayList<String>();
    collect("", definition.fields(), all);
    var listed = String.join(", ", all.subList(0, Math.min(LISTED, all.size())));
    return where
        .refused("the shape has no such field.")
        .hint(
            all.isEmpty()
                ? "It has none at all."
                : "It has " + listed + (all.size() > LISTED ? ", and more." : "."));
  }

  private static void collect(
      String parent, Map<String, ShapeDefinition.Field> fields, List<String> all) {
    fields.forEach(
        (name, field) -> {
          all.add(parent + name);
          var type = field.type();
          while (type instanceof FieldType.ArrayType array) {
            type = array.items();
          }
          if (type instanceof FieldType.ObjectType(var nested)) {
            collect(parent + name + ".", nested, all);
          }
        });
  }
}

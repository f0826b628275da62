package dev.cairn.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.FieldSearch;
import dev.cairn.content.Predicates;
import dev.cairn.content.StoredText;
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
 * Compiles all predicates on fields into one condition: a JSON path over the data, typed by the
 * shape's definition, with the values as variables. See {@code docs/reads.md}, Fields.
 *
 * <p>Lax paths never fail: a value that has another type, from an older version of the shape,
 * matches nothing.
 */
final class FieldConditions {
  private static final int MAX_LISTED_FIELDS = 50;

  private static final String PATH_EXISTS =
      "jsonb_path_exists(%s::jsonb, ?::jsonpath, ?::jsonb)".formatted(StoredText.plain("e.data"));

  private final RepositoryAccess access;
  private final ShapeDefinition definition;
  private final List<String> conditions = new ArrayList<>();

  private final TextConditions texts = new TextConditions();

  /** What must be among the values of fields, by which an index finds entities. */
  private final List<FieldSearch.AnyValue> anyValues = new ArrayList<>();

  /** Top-level fields that must be absent or null. */
  private final List<Field> absent = new ArrayList<>();

  private final ObjectNode variables = JsonNodeFactory.instance.objectNode();

  /**
   * A declared field.
   *
   * @param type the type of its values, or of the elements of its arrays
   * @param name the last name of the path
   * @param isMember whether its value, if it has the declared type, stands right after its name in
   *     the data: it is no list, which an {@code any} may be, nor in one
   * @param field the path to the field
   * @param values the path to the field, or to the elements of its array
   * @param typeChecks conditions that the data on the path, up to the first array, has the declared
   *     types: a lax path would enter any array, and treat any value as an array of one
   */
  record Field(
      FieldType type,
      String name,
      boolean isMember,
      String field,
      String values,
      String typeChecks) {
    /** How the member begins in stored data. */
    String member() {
      return "\"" + StoredJson.escape(name) + "\":";
    }
  }

  private FieldConditions(RepositoryAccess access, ShapeDefinition definition) {
    this.access = access;
    this.definition = definition;
  }

  /**
   * Narrows to the entities whose data matches all predicates.
   *
   * @return some of the conditions, by which an index finds entities
   */
  static List<FieldSearch.AnyValue> narrow(
      Predicates where, RepositoryAccess access, ShapeDefinition definition, List<Where> all) {
    var compiled = new FieldConditions(access, definition);
    all.forEach(compiled::add);
    compiled.absent.forEach(field -> isAbsent(field, where));
    if (!compiled.conditions.isEmpty()) {
      compiled.match(where);
    }
    return compiled.anyValues;
  }

  /** The planner would not keep the order of conditions, so the text is looked at in a case. */
  private void match(Predicates where) {
    var values = new ArrayList<>(texts.values());
    values.add(path(String.join(" && ", conditions)));
    values.add(CanonicalJson.of(variables));
    where.and(
        texts
            .sql()
            .map(sql -> "case when %s then %s else false end".formatted(sql, PATH_EXISTS))
            .orElse(PATH_EXISTS),
        values.toArray());
  }

  private static String path(String conditions) {
    return "$ ? (" + conditions + ")";
  }

  private void add(Where where) {
    var field = field(where);
    var allowed = allowed(field.type());
    if (!allowed.contains(where.op())) {
      throw where.refused("its field supports only " + Where.names(allowed) + ".");
    }
    if (where.op() != Op.EXISTS) {
      if (where.op() != Op.EQ && where.op() != Op.IN) {
        texts.requireMember(field);
      }
      conditions.add("(%s%s)".formatted(field.typeChecks(), compared(where, field)));
    } else if (flag(where).booleanValue()) {
      texts.requireMember(field);
      conditions.add(isPresent(field));
    } else if (where.path().size() == 1) {
      absent.add(field);
    } else {
      conditions.add("!" + isPresent(field));
    }
  }

  /**
   * A field of the data itself is absent or null. Most data tells by its text: after a comma or an
   * opening brace, what looks like a member's name is one, and data with a single opening brace has
   * no other objects that could have it. Only other data is parsed.
   */
  private static void isAbsent(Field field, Predicates where) {
    where.and(
        """
        case when starts_with(e.data, ?) and not starts_with(e.data, ?) then false
             when left(split_part(e.data, ?, 2), 1) not in ('', 'n')
                  and e.data not like '_%{%' then false
             when strpos(e.data, ?) = 0 then true
             else\s"""
            + PATH_EXISTS
            + " end",
        "{" + field.member(),
        "{" + field.member() + "null",
        "," + field.member(),
        field.member(),
        path("!" + isPresent(field)),
        "{}");
  }

  private String compared(Where where, Field field) {
    return switch (where.op()) {
      case EQ, IN ->
          anyValue(field, field.isMember() ? equal(where, field) : anyElement(equal(where, field)));
      case NE ->
          "%s && !%s"
              .formatted(isPresent(field), anyValue(field, otherType(field) + equal(where, field)));
      case GT -> anyValue(field, "@ > " + variable(values(where, field)));
      case GTE -> anyValue(field, "@ >= " + variable(values(where, field)));
      case LT -> anyValue(field, "@ < " + variable(values(where, field)));
      case LTE -> anyValue(field, "@ <= " + variable(values(where, field)));
      case PREFIX -> prefix(where, field);
      case EXISTS -> throw new IllegalStateException("has no comparison");
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

  /** The value is neither absent nor null. */
  private static String isPresent(Field field) {
    return "(" + field.field() + ".type() != \"null\")";
  }

  /**
   * The value, or any element of the array, passes the test. Elements are tested one by one, since
   * the database can cancel a query between two of them, but not within a comparison of all with
   * all.
   */
  private static String anyValue(Field field, String test) {
    return "exists(%s ? (%s))".formatted(field.values(), test);
  }

  /** The same for a value that is itself an array, which a comparison would enter at once. */
  private static String anyElement(String test) {
    return "exists(@ ? (@.type() != \"array\" && (%s)))".formatted(test);
  }

  private String prefix(Where where, Field field) {
    if (field.type() instanceof FieldType.StringType) {
      texts.requirePrefix(field, where.value());
    }
    return anyValue(field, "@ starts with " + variable(new TextNode(where.value())));
  }

  private String equal(Where where, Field field) {
    boolean isOneOf = where.op() == Op.EQ || where.op() == Op.IN;
    if (field.type() instanceof FieldType.WrefType) {
      var references = where.values().stream().map(text -> reference(where, text)).toList();
      if (isOneOf) {
        texts.requireAnyReference(field, references);
      }
      return references.stream().map(this::refersTo).collect(Collectors.joining(" || "));
    }
    var values = values(where, field);
    if (isOneOf) {
      texts.requireAny(field, values);
      if (values.valueStream().noneMatch(JsonNode::isBoolean)) {
        anyValues.add(new FieldSearch.AnyValue(where.path(), values));
      }
    }
    return "@ == " + variable(values);
  }

  /** A value of another type than the field is not unequal. */
  private static String otherType(Field field) {
    return switch (field.type()) {
      case FieldType.StringType _, FieldType.WrefType _ -> "@.type() != \"string\" || ";
      case FieldType.NumberType _ -> "@.type() != \"number\" || ";
      case FieldType.BooleanType _ -> "@.type() != \"boolean\" || ";
      case FieldType.AnyType _, FieldType.ObjectType _, FieldType.ArrayType _ -> "";
    };
  }

  /** The values of the predicate, converted to the field's type. */
  private static ArrayNode values(Where where, Field field) {
    var values = JsonNodeFactory.instance.arrayNode();
    return values.addAll(
        switch (field.type()) {
          case FieldType.StringType _ -> strings(where);
          case FieldType.NumberType _ -> numbers(where);
          case FieldType.BooleanType _ -> List.of(flag(where));
          case FieldType.AnyType _ -> interpretations(where);
          case FieldType.WrefType _, FieldType.ObjectType _, FieldType.ArrayType _ ->
              throw new IllegalStateException("not compared by value");
        });
  }

  /** The text of a reference, up to its version if that does not matter. */
  private String reference(Where where, String text) {
    var wref = wref(where, text);
    boolean pinned = wref.modifier() instanceof Wref.Modifier.Pinned;
    if (!pinned && !(wref.modifier() instanceof Wref.Modifier.None)) {
      throw where.refused("a reference must be given without a version, or with one such as @v2.");
    }
    return pinned ? wref.toString() : wref + "@v";
  }

  /** A reference is stored with the version that it is pinned to. */
  private String refersTo(String reference) {
    return "@ %s %s"
        .formatted(
            reference.endsWith("@v") ? "starts with" : "==", variable(new TextNode(reference)));
  }

  private Wref wref(Where where, String text) {
    try {
      return Targets.local(access, Wref.parse(text));
    } catch (Problem e) {
      throw where.refused(e.getMessage());
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
                        () -> where.refused("its value must be a JSON number, such as 1.5.")))
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

  /** The values as strings, and as the numbers and booleans with the same text. */
  private static List<JsonNode> interpretations(Where where) {
    var interpretations = new ArrayList<>(strings(where));
    for (var text : where.values()) {
      number(text).ifPresent(interpretations::add);
      if (text.equals("true") || text.equals("false")) {
        interpretations.add(BooleanNode.valueOf(text.equals("true")));
      }
    }
    return interpretations;
  }

  private String variable(JsonNode value) {
    var name = "v" + variables.size();
    variables.set(name, value);
    return "$" + name;
  }

  /** The field that a predicate names. */
  private Field field(Where where) {
    FieldType type = new FieldType.ObjectType(definition.fields());
    var field = new StringBuilder("$");
    var typeChecks = new StringBuilder();
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
        typeChecks.append(isOfType(field, type));
      }
      inArray |= type instanceof FieldType.ArrayType;
      values = "";
      while (type instanceof FieldType.ArrayType array) {
        type = array.items();
        values += "[*]";
      }
    }
    return new Field(
        type,
        where.path().getLast(),
        !inArray && !(type instanceof FieldType.AnyType),
        field.toString(),
        field + values,
        typeChecks.toString());
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
    var listed = String.join(", ", all.subList(0, Math.min(MAX_LISTED_FIELDS, all.size())));
    return where
        .refused("the shape has no such field.")
        .hint(
            all.isEmpty()
                ? "The shape has no fields."
                : "Its fields are "
                    + listed
                    + (all.size() > MAX_LISTED_FIELDS ? ", and others." : "."));
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

package dev.cairn.query;

import com.fasterxml.jackson.databind.node.DoubleNode;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.FieldType;
import dev.cairn.model.ShapeDefinition.Field;
import dev.cairn.platform.page.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes the fields of a shape as a list of objects, each with its constraints. */
final class ShapeFields {
  private final JsonOut out;

  ShapeFields(JsonOut out) {
    this.out = out;
  }

  /** Writes the value of the member {@code fields}. */
  void write(Map<String, Field> fields) {
    out.array();
    fields.values().forEach(this::field);
    out.endArray();
  }

  private void field(Field field) {
    out.object().name("name").value(field.name());
    members(field.type());
    out.name("optional").value(field.optional());
    if (field.description() != null) {
      out.name("description").value(field.description());
    }
    out.end();
  }

  private void members(FieldType type) {
    switch (type) {
      case FieldType.StringType string -> string(string);
      case FieldType.NumberType number -> number(number);
      case FieldType.BooleanType _ -> type("boolean");
      case FieldType.WrefType(String shape) -> {
        type("wref");
        if (shape != null) {
          out.name("shape").value(shape);
        }
      }
      case FieldType.ArrayType(var items, var minItems, var maxItems) -> {
        type("array");
        out.name("items").object();
        members(items);
        out.end();
        count("minItems", minItems);
        count("maxItems", maxItems);
      }
      case FieldType.AnyType _ -> type("any");
      case FieldType.ObjectType(var fields) -> {
        type("object");
        out.name("fields");
        write(fields);
      }
    }
  }

  private void string(FieldType.StringType type) {
    type("string");
    count("minLength", type.minLength());
    count("maxLength", type.maxLength());
    if (type.pattern() != null) {
      out.name("pattern").value(type.pattern().pattern());
    }
    if (type.allowed() != null) {
      out.name("enum").array();
      type.allowed().forEach(out::value);
      out.endArray();
    }
  }

  private void number(FieldType.NumberType type) {
    type("number");
    decimal("minimum", type.minimum());
    decimal("maximum", type.maximum());
    if (type.isInteger()) {
      out.name("integer").value(true);
    }
  }

  private void type(String name) {
    out.name("type").value(name);
  }

  private void count(String name, Long value) {
    if (value != null) {
      out.name(name).value(value);
    }
  }

  private void decimal(String name, Double value) {
    if (value != null) {
      out.name(name)
          .stored(CanonicalJson.of(DoubleNode.valueOf(value)).getBytes(StandardCharsets.UTF_8));
    }
  }
}

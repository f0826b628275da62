package dev.cairn.model;

import com.google.re2j.Pattern;
import java.util.Map;
import java.util.Set;

/** The type of a field's value, see {@code docs/model.md}, Shapes. A null constraint is absent. */
public sealed interface FieldType {
  /**
   * A string.
   *
   * @param minLength minimum number of code points, or null
   * @param maxLength maximum number of code points, or null
   * @param pattern the pattern that must be found in the string, or null
   * @param allowed the only allowed values, or null
   */
  record StringType(Long minLength, Long maxLength, Pattern pattern, Set<String> allowed)
      implements FieldType {}

  /**
   * A number.
   *
   * @param minimum minimum value, or null
   * @param maximum maximum value, or null
   * @param isInteger whether the number must be an integer; 1.0 is one
   */
  record NumberType(Double minimum, Double maximum, boolean isInteger) implements FieldType {}

  /** {@code true} or {@code false}. */
  record BooleanType() implements FieldType {}

  /**
   * A reference to an entity.
   *
   * @param shape the shape that the target must have, or null for any
   */
  record WrefType(String shape) implements FieldType {}

  /**
   * An array.
   *
   * @param items the type of every item
   * @param minItems minimum number of items, or null
   * @param maxItems maximum number of items, or null
   */
  record ArrayType(FieldType items, Long minItems, Long maxItems) implements FieldType {}

  /** Any JSON; strings in it are not references. */
  record AnyType() implements FieldType {}

  /**
   * An object with fields of its own.
   *
   * @param fields by name, in the order of the definition
   */
  record ObjectType(Map<String, ShapeDefinition.Field> fields) implements FieldType {}
}

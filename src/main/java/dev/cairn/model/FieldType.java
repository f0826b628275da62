package dev.cairn.model;

import com.google.re2j.Pattern;
import java.util.Map;
import java.util.Set;

/** What a field's value must be, see {@code docs/model.md}, Shapes. Null constraints are absent. */
public sealed interface FieldType {
  /**
   * A string.
   *
   * @param minLength least number of code points, or null
   * @param maxLength greatest number of code points, or null
   * @param pattern what must be found in it, or null
   * @param allowed the only values, or null
   */
  record StringType(Long minLength, Long maxLength, Pattern pattern, Set<String> allowed)
      implements FieldType {}

  /**
   * A number.
   *
   * @param minimum least value, or null
   * @param maximum greatest value, or null
   * @param integer whether it has no fraction; 1.0 has none
   */
  record NumberType(Double minimum, Double maximum, boolean integer) implements FieldType {}

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
   * @param minItems least number of items, or null
   * @param maxItems greatest number of items, or null
   */
  record ArrayType(FieldType items, Long minItems, Long maxItems) implements FieldType {}

  /** Any JSON; strings in it are no references. */
  record AnyType() implements FieldType {}

  /**
   * An object with fields of its own.
   *
   * @param fields by name, in the order of the definition
   */
  record ObjectType(Map<String, ShapeDefinition.Field> fields) implements FieldType {}
}

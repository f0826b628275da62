package dev.cairn.model;

import java.util.Optional;

/**
 * The shapes that every repository has from the start and that nobody can change. See {@code
 * docs/model.md}, Built-in shapes.
 */
public enum BuiltinShape {
  SHAPE(
      "Shape",
      """
      {"description":"A shape: the fields that the data of its things has, and what they are about.",\
      "fields":{"description?":"string","about?":"any","fields":"any"}}\
      """),
  PAIR(
      "Pair",
      """
      {"description":"Two things in order.",\
      "fields":{"first":"wref","second":"wref"}}\
      """),
  TRIPLE(
      "Triple",
      """
      {"description":"Three things in order.",\
      "fields":{"first":"wref","second":"wref","third":"wref"}}\
      """),
  SET(
      "Set",
      """
      {"description":"Things without order, each once.",\
      "fields":{"members":{"type":"array","items":"wref","minItems":1}}}\
      """),
  LIST(
      "List",
      """
      {"description":"Things in order, each any number of times.",\
      "fields":{"items":{"type":"array","items":"wref","minItems":1}}}\
      """),
  CONTENT(
      "Content",
      """
      {"description":"A text that the repository serves, up to 65,536 bytes of UTF-8.",\
      "fields":{"content":{"type":"string","maxLength":65536}}}\
      """),
  COMPONENT_INSTALL(
      "ComponentInstall",
      """
      {"description":"The record of an installed component, written by the service alone.",\
      "fields":{"component":"string?","version":"string?","manifestHash":"string?",\
      "shapes":{"type":"array","items":"wref"}}}\
      """),
  COMPONENT_CONFIG(
      "ComponentConfig",
      """
      {"description":"The settings of a component in this repository.","fields":{}}\
      """);

  /** The first entity id that is not reserved for built-in shapes. */
  public static final long FIRST_FREE_ID = 100;

  private final String shapeName;
  private final String definition;

  BuiltinShape(String shapeName, String definition) {
    this.shapeName = shapeName;
    this.definition = definition;
  }

  /** The shape's name, such as {@code Pair}. */
  public String shapeName() {
    return shapeName;
  }

  /** The fixed id of the shape's entity, 1 to 8; the database relies on it. */
  public long id() {
    return switch (this) {
      case SHAPE -> 1;
      case PAIR -> 2;
      case TRIPLE -> 3;
      case SET -> 4;
      case LIST -> 5;
      case CONTENT -> 6;
      case COMPONENT_INSTALL -> 7;
      case COMPONENT_CONFIG -> 8;
    };
  }

  /** The definition as compact JSON that {@link ShapeDefinition#parse} takes. */
  public String definition() {
    return definition;
  }

  /** Whether things of this shape are collections. */
  public boolean isCollection() {
    return switch (this) {
      case PAIR, TRIPLE, SET, LIST -> true;
      case SHAPE, CONTENT, COMPONENT_INSTALL, COMPONENT_CONFIG -> false;
    };
  }

  /** The built-in shape with that name; empty if there is none or the name is null. */
  public static Optional<BuiltinShape> named(String shapeName) {
    for (var shape : values()) {
      if (shape.shapeName.equals(shapeName)) {
        return Optional.of(shape);
      }
    }
    return Optional.empty();
  }
}

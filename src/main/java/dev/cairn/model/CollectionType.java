package dev.cairn.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The four forms of a collection, see {@code docs/model.md}, Collections. */
public enum CollectionType {
  PAIR(BuiltinShape.PAIR, 2),
  TRIPLE(BuiltinShape.TRIPLE, 3),
  SET(BuiltinShape.SET, 0),
  LIST(BuiltinShape.LIST, 0);

  private final BuiltinShape shape;

  /** How many members it has; 0 where any number from one is fine. */
  private final int exactly;

  CollectionType(BuiltinShape shape, int exactly) {
    this.shape = shape;
    this.exactly = exactly;
  }

  /** The built-in shape of such collections. */
  public BuiltinShape shape() {
    return shape;
  }

  /** The fields of the shape that hold the members, in order; one array field where it is open. */
  public List<String> fields() {
    return switch (this) {
      case PAIR -> List.of("first", "second");
      case TRIPLE -> List.of("first", "second", "third");
      case SET -> List.of("members");
      case LIST -> List.of("items");
    };
  }

  /** Whether it has any number of members, in one array field. */
  public boolean isOpen() {
    return exactly == 0;
  }

  /** Whether such a collection may have {@code count} members. */
  public boolean takes(int count) {
    return exactly == 0 ? count >= 1 : count == exactly;
  }

  /** The rule behind {@link #takes} as a sentence. */
  public String countRule() {
    return exactly == 0
        ? "A " + wire() + " has at least one member."
        : "A " + wire() + " has exactly " + exactly + " members.";
  }

  /** The lower-case word of requests and answers. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type that {@code wire} names; empty where it names none, also for null. */
  public static Optional<CollectionType> of(String wire) {
    return Arrays.stream(values()).filter(type -> type.wire().equals(wire)).findFirst();
  }

  /** The type whose collections have that shape; empty for any other shape and for null. */
  public static Optional<CollectionType> ofShape(String shapeName) {
    return Arrays.stream(values())
        .filter(type -> type.shape.shapeName().equals(shapeName))
        .findFirst();
  }
}

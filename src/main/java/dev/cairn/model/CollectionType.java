package dev.cairn.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The four types of collection, see {@code docs/model.md}, Collections. */
public enum CollectionType {
  PAIR(BuiltinShape.PAIR, 2),
  TRIPLE(BuiltinShape.TRIPLE, 3),
  SET(BuiltinShape.SET, 0),
  LIST(BuiltinShape.LIST, 0);

  /**
   * The maximum number of members: of the 1 MiB that data may have, each takes at least six bytes,
   * {@code "S/a",}.
   */
  public static final int MAX_MEMBERS = 1024 * 1024 / 6;

  private final BuiltinShape shape;

  /** The required number of members; 0 if any number of at least one is allowed. */
  private final int exactly;

  CollectionType(BuiltinShape shape, int exactly) {
    this.shape = shape;
    this.exactly = exactly;
  }

  /** The built-in shape of such collections. */
  public BuiltinShape shape() {
    return shape;
  }

  /**
   * The fields of the shape that hold the members, in order; a single array field if {@link
   * #isOpen}.
   */
  public List<String> fields() {
    return switch (this) {
      case PAIR -> List.of("first", "second");
      case TRIPLE -> List.of("first", "second", "third");
      case SET -> List.of("members");
      case LIST -> List.of("items");
    };
  }

  /** Whether a collection may have any number of members, which are in one array field. */
  public boolean isOpen() {
    return exactly == 0;
  }

  /** Whether such a collection may have {@code count} members. */
  public boolean allows(int count) {
    return exactly == 0 ? count >= 1 : count == exactly;
  }

  /** The rule of {@link #allows} as a sentence. */
  public String countRule() {
    return exactly == 0
        ? "A " + wire() + " has at least one member."
        : "A " + wire() + " has exactly " + exactly + " members.";
  }

  /** The lower-case name in requests and answers. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type with that wire name; empty if there is none or {@code wire} is null. */
  public static Optional<CollectionType> of(String wire) {
    return Arrays.stream(values()).filter(type -> type.wire().equals(wire)).findFirst();
  }

  /** The type of collections of that shape; empty for any other shape and for null. */
  public static Optional<CollectionType> ofShape(String shapeName) {
    return Arrays.stream(values())
        .filter(type -> type.shape.shapeName().equals(shapeName))
        .findFirst();
  }
}

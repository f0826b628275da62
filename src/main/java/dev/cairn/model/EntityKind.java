package dev.cairn.model;

import java.util.Locale;
import java.util.Optional;

/** The kind of an entity; a collection is a thing. See {@code docs/model.md}, Entities. */
public enum EntityKind {
  SHAPE,
  THING,
  ASSERTION;

  /** The lower-case name in requests and answers. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind with that wire name; empty if there is none or {@code wire} is null. */
  public static Optional<EntityKind> of(String wire) {
    for (var kind : values()) {
      if (kind.wire().equals(wire)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}

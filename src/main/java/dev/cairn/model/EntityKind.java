package dev.cairn.model;

import java.util.Locale;
import java.util.Optional;

/** What an entity is; a collection is a thing. See {@code docs/model.md}, Entities. */
public enum EntityKind {
  SHAPE,
  THING,
  ASSERTION;

  /** The lower-case word of requests and answers. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind that {@code wire} names; empty where it names none, also for null. */
  public static Optional<EntityKind> of(String wire) {
    for (var kind : values()) {
      if (kind.wire().equals(wire)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}

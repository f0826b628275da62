package dev.cairn.cli.bulk;

/** What is sent for a change. */
enum Decision {
  /** The operation of the user's own. */
  SEND('o'),
  ADD('a'),
  REVISE('r'),
  /** A revise of an entity that was retracted, which becomes active again. */
  RESTORE('t'),
  /** Nothing: the entity is as it should be. */
  LEAVE('l');

  private final char sign;

  Decision(char sign) {
    this.sign = sign;
  }

  char sign() {
    return sign;
  }

  static Decision of(char sign) {
    for (var decision : values()) {
      if (decision.sign == sign) {
        return decision;
      }
    }
    throw new IllegalArgumentException("no decision: " + sign);
  }

  /** What the operation for a change asks for, such as {@code add}. */
  String operation(Change change) {
    return this == REVISE || this == RESTORE ? "revise" : change.operation();
  }

  /** The operation for a change, on one line; null if nothing is sent. */
  String text(Change change) {
    return switch (this) {
      case SEND, ADD -> change.text();
      case REVISE, RESTORE -> revise(change);
      case LEAVE -> null;
    };
  }

  private String revise(Change change) {
    var operation = change.parsed().put("operation", "revise");
    operation.remove("kind");
    if (this == RESTORE) {
      operation.put("active", true);
      if (change.isCollection()) {
        operation.remove("data"); // it can be restored, but not revised
      }
    }
    return Json.text(operation);
  }
}

package dev.cairn.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A member's role in an organization; each one includes those before it. */
public enum Role {
  VIEWER,
  EDITOR,
  ADMIN,
  OWNER;

  /** Whether the role grants {@code permission}. */
  public boolean grants(Permission permission) {
    return compareTo(permission.least()) >= 0;
  }

  /** The name in JSON and in the database. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of that wire name, if there is one. */
  public static Optional<Role> of(String wire) {
    return Arrays.stream(values()).filter(role -> role.wire().equals(wire)).findFirst();
  }
}

package dev.cairn.mcp;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A part of the tools that a client may ask for; {@code docs/mcp.md}, Toolsets. Tools of {@link
 * #COMMIT} and {@link #ADMIN} that change nothing belong to {@link #READ}.
 */
enum Toolset {
  /** Reads of content and of settings. */
  READ,
  /** Commits, and what writes by a commit. */
  COMMIT,
  /** Subscriptions, their runs and their credential sets. */
  SUBSCRIPTION,
  /** Components that repositories install. */
  COMPONENT,
  /** Organizations, members, repositories, exports. */
  ADMIN;

  /** The name that clients use. */
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The toolset of a name. */
  static Optional<Toolset> named(String name) {
    return Arrays.stream(values()).filter(set -> set.wire().equals(name)).findFirst();
  }
}

package dev.cairn.model;

import java.util.List;

/**
 * Whether the entities of a shape are about something, and about what; see {@code docs/model.md},
 * What a shape is about.
 *
 * @param required whether they must be about something; otherwise they must not
 * @param shapes the shapes of which the target may be
 * @param globs the globs that its name may match; if both lists are empty, it may be anything
 */
public record AboutRule(boolean required, List<String> shapes, List<String> globs) {
  /** The entities must not be about anything. */
  static final AboutRule NEVER = new AboutRule(false, List.of(), List.of());

  /** They must be about something, no matter what. */
  static final AboutRule ALWAYS = new AboutRule(true, List.of(), List.of());

  /** Copies both lists. */
  public AboutRule {
    shapes = List.copyOf(shapes);
    globs = List.copyOf(globs);
  }

  /** Whether they may be about anything, if they are about something. */
  public boolean allowsAny() {
    return required && shapes.isEmpty() && globs.isEmpty();
  }
}

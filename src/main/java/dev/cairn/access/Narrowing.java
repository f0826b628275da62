package dev.cairn.access;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which wrefs of a repository a token may read or write: all of them, or those that match at least
 * one of its patterns. Together with a pattern's things go the shapes whose name its first segment
 * matches. See {@code docs/access.md}, Narrowed tokens.
 */
public final class Narrowing {
  /** All wrefs. */
  public static final Narrowing UNRESTRICTED = new Narrowing(Optional.empty());

  private static final String SHAPES = BuiltinShape.SHAPE.shapeName();

  private final Optional<List<Glob>> patterns;

  private Narrowing(Optional<List<Glob>> patterns) {
    this.patterns = patterns;
  }

  /** The narrowing of a scope entry: nothing for none, and no wref at all for an empty list. */
  public static Narrowing to(Optional<List<Glob>> patterns) {
    return patterns.isEmpty() ? UNRESTRICTED : new Narrowing(patterns.map(List::copyOf));
  }

  /** Whether every wref is let through. */
  public boolean isUnrestricted() {
    return patterns.isEmpty();
  }

  /**
   * The patterns, of which one must match; empty for no wref at all, or with {@link
   * #isUnrestricted}.
   */
  public List<Glob> patterns() {
    return patterns.orElse(List.of());
  }

  /** Whether a local wref without modifier is let through, for reading. */
  public boolean canRead(Wref wref) {
    return canRead(wref, MatchingBudget.unlimited());
  }

  /**
   * The same, of many in one commit.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean canRead(Wref wref, MatchingBudget budget) {
    return canWrite(wref.local(), budget)
        || (wref.shape().equals(SHAPES)
            && patterns().stream().anyMatch(glob -> glob.mayMatchShape(wref.name(), budget)));
  }

  /**
   * Whether a local wref without modifier is let through, for writing.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean canWrite(String wref, MatchingBudget budget) {
    return isUnrestricted() || patterns().stream().anyMatch(glob -> glob.matches(wref, budget));
  }

  /** A text that is the same for two that have the same patterns; empty for all wrefs. */
  public String identity() {
    // No pattern holds the character U+0000.
    return patterns
        .map(
            globs ->
                globs.stream()
                    .map(Glob::toString)
                    .sorted()
                    .distinct()
                    .collect(Collectors.joining("\0", "\0", "\0")))
        .orElse("");
  }

  /** What either of the two lets through. */
  Narrowing or(Narrowing other) {
    return isUnrestricted() || other.isUnrestricted()
        ? UNRESTRICTED
        : new Narrowing(
            Optional.of(Stream.concat(patterns().stream(), other.patterns().stream()).toList()));
  }

  /** Refuses a narrowed token where content is shown in a form that cannot be narrowed. */
  public void requireUnrestricted() {
    if (!isUnrestricted()) {
      throw Problem.of(
              ErrorCode.FORBIDDEN, "A token that is narrowed by `allowedMatches` may not do this.")
          .hint("Use a token whose scope entry for this repository has no `allowedMatches`.");
    }
  }
}

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
 * one of its patterns. A token that may read a pattern's things may also read the shapes whose
 * names the pattern's first segment matches. See {@code docs/access.md}, Narrowed tokens.
 */
public final class Narrowing {
  /** All wrefs. */
  public static final Narrowing UNRESTRICTED = new Narrowing(Optional.empty());

  private static final String SHAPES = BuiltinShape.SHAPE.shapeName();

  private final Optional<List<Glob>> patterns;

  private Narrowing(Optional<List<Glob>> patterns) {
    this.patterns = patterns;
  }

  /** The narrowing to patterns: without patterns all wrefs, with an empty list no wref at all. */
  public static Narrowing to(Optional<List<Glob>> patterns) {
    return patterns.isEmpty() ? UNRESTRICTED : new Narrowing(patterns.map(List::copyOf));
  }

  /** Whether it allows every wref. */
  public boolean isUnrestricted() {
    return patterns.isEmpty();
  }

  /**
   * The patterns, at least one of which must match. Empty if no wref is allowed, and if {@link
   * #isUnrestricted}.
   */
  public List<Glob> patterns() {
    return patterns.orElse(List.of());
  }

  /**
   * Whether a local wref without modifier may be read.
   *
   * @param budget of the whole commit or read
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean canRead(Wref wref, MatchingBudget budget) {
    return canWrite(wref.local(), budget)
        || (wref.shape().equals(SHAPES)
            && patterns().stream().anyMatch(glob -> glob.mayMatchShape(wref.name(), budget)));
  }

  /**
   * Whether a local wref without modifier may be written.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean canWrite(String wref, MatchingBudget budget) {
    return isUnrestricted() || patterns().stream().anyMatch(glob -> glob.matches(wref, budget));
  }

  /** A text that is equal if and only if the patterns are; empty for all wrefs. */
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

  /** Allows what either of the two allows. */
  Narrowing or(Narrowing other) {
    return isUnrestricted() || other.isUnrestricted()
        ? UNRESTRICTED
        : new Narrowing(
            Optional.of(Stream.concat(patterns().stream(), other.patterns().stream()).toList()));
  }

  /** Refuses a narrowed token if content is shown in a form that cannot be narrowed. */
  public void requireUnrestricted() {
    if (!isUnrestricted()) {
      throw Problem.of(
              ErrorCode.FORBIDDEN, "A token that is narrowed by `allowedMatches` may not do this.")
          .hint("Use a token whose scope entry for this repository has no `allowedMatches`.");
    }
  }
}

package dev.cairn.query;

import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.http.QueryParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The targets of the assertions that a read selects, given by the parameter {@code about}; see
 * {@code docs/reads.md}, Targets. An assertion must be about one of them.
 *
 * @param wrefs single targets, which may be in other repositories
 * @param patterns patterns of targets in this repository
 */
public record AboutFilter(List<Wref> wrefs, List<Glob> patterns) {
  /** The name of the parameter. */
  public static final String ABOUT = "about";

  /** Any target, or none. */
  static final AboutFilter NONE = new AboutFilter(List.of(), List.of());

  /** Maximum wrefs and patterns together. */
  static final int MAX_TARGETS = 100;

  /** Maximum patterns: each is a query with a time limit of its own. */
  static final int MAX_PATTERNS = 5;

  private static final String ONLY_IN_PATTERNS = "*?{}";

  /** Reads the parameter, which may be given more than once. */
  static AboutFilter of(QueryParameters parameters) {
    var texts = parameters.texts(ABOUT);
    if (texts.size() > MAX_TARGETS) {
      throw Problem.invalid(
          "?" + ABOUT,
          "At most %d `about` parameters may be given, not %d."
              .formatted(MAX_TARGETS, texts.size()));
    }
    var wrefs = new ArrayList<Wref>();
    var patterns = new ArrayList<Glob>();
    for (var text : texts) {
      if (text.chars().anyMatch(c -> ONLY_IN_PATTERNS.indexOf(c) >= 0)) {
        patterns.add(pattern(text));
      } else {
        wrefs.add(EntityFilter.parsed("?" + ABOUT, text, Wref::parse));
      }
    }
    if (patterns.size() > MAX_PATTERNS) {
      throw Problem.invalid(
          "?" + ABOUT,
          "At most %d `about` parameters may be patterns, not %d."
              .formatted(MAX_PATTERNS, patterns.size()));
    }
    Glob.requireCheap(patterns, "?" + ABOUT);
    return new AboutFilter(List.copyOf(wrefs), List.copyOf(patterns));
  }

  private static Glob pattern(String text) {
    if (text.startsWith(Wref.SCHEME) || text.indexOf('@') >= 0) {
      throw Problem.invalid(
          "?" + ABOUT,
          "A pattern in `about` matches names of this repository, without a version: `Sensor/a*`.");
    }
    return EntityFilter.parsed("?" + ABOUT, text, Glob::parse);
  }

  /** Whether no target is given, so that other entities than assertions are selected too. */
  boolean isEmpty() {
    return wrefs.isEmpty() && patterns.isEmpty();
  }

  /** The texts of the wrefs and patterns, for cursors; none is empty. */
  Stream<String> texts() {
    return Stream.concat(wrefs.stream().map(Wref::toString), patterns.stream().map(Glob::toString));
  }
}

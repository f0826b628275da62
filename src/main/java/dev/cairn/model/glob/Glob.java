package dev.cairn.model.glob;

import com.google.re2j.Pattern;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A pattern over whole local wrefs, see {@code docs/model.md}, Globs. Between slashes, {@code *}
 * matches any characters, {@code ?} matches one, {@code {a,b}} matches one of the alternatives,
 * which may contain {@code *} and {@code ?}; a segment {@code **} matches any number of segments.
 *
 * <p>PostgreSQL matches it by a literal prefix, which an index serves, and one regular expression.
 * In memory, a {@link GlobProgram} matches it. Neither takes exponential time.
 */
public final class Glob {
  /** Bytes of memory for each character of the text, including its two programs. */
  private static final int BYTES_OF_CHARACTER = 12;

  private static final int BASE_BYTES = 400;
  private static final int BASE_BYTES_OF_TEXT = 100;

  /** The cost of finding that a text begins or ends differently; see {@link #matches}. */
  private static final int STEPS_OF_DIFFERENCE = 2;

  /** How many characters are compared in the time of a step. */
  private static final int CHARACTERS_OF_STEP = 16;

  private static final int MAX_DISTINCT_CHARACTERS = 1_000;
  private static final int MAX_WILDCARDS_TIMES_CHARACTERS = 50_000;

  /** A wildcard; {@code **} counts as one. */
  private static final Pattern WILDCARD = Pattern.compile("\\*\\*|[*?]");

  private static final Pattern NOT_LITERAL = Pattern.compile("[*?]+|\\{[^}]*\\}");

  /** The slashes next to a {@code **}, which may match no segment at all. */
  private static final Pattern OUTER_SLASHES = Pattern.compile("^/+|/+$");

  private final String source;

  /** Null until it is first used, if the pattern was read from where it is stored. */
  private volatile Compiled compiled;

  /**
   * What is computed of a pattern.
   *
   * @param shapeName null if the first segment is not literal
   * @param literalName null if the name of a match may vary
   * @param beginning how many characters at the beginning of the pattern every match begins with
   * @param end how many characters at its end every match ends with
   * @param shapeProgram null if the first segment is {@code **}
   */
  private record Compiled(
      GlobProgram program,
      int beginning,
      int end,
      String shapeName,
      String namePrefix,
      String literalName,
      boolean isWholeShape,
      boolean isEverything,
      boolean isExact,
      GlobProgram shapeProgram) {
    static Compiled of(List<GlobSegment> segments) {
      var first = segments.getFirst();
      var program = new GlobProgram(segments);
      return new Compiled(
          program,
          program.literalBeginning(),
          program.literalEnd(),
          first.isLiteral() ? first.prefix() : null,
          first.isAnyDepth() ? "" : namePrefixOf(segments),
          first.isAnyDepth() ? null : literalNameOf(segments),
          first.isLiteral() && isAny(segments.subList(1, segments.size()), 1),
          isAny(segments, 2),
          segments.stream().allMatch(GlobSegment::isLiteral),
          first.isAnyDepth() ? null : new GlobProgram(segments.subList(0, 1)));
    }
  }

  private Glob(String source, Compiled compiled) {
    this.source = source;
    this.compiled = compiled;
  }

  /**
   * Reads a pattern of 1 to 1,024 characters, normalized to NFC.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} that names the position in the pattern
   */
  public static Glob parse(String text) {
    var parser = new GlobParser(text);
    return new Glob(parser.source(), Compiled.of(parser.segments()));
  }

  /**
   * A pattern whose text was read before, and stored. It is compiled when it is first used: that
   * takes a hundred times as long as reading it.
   *
   * @param text what {@link #toString} returned
   */
  public static Glob ofStored(String text) {
    return new Glob(text, null);
  }

  private Compiled compiled() {
    var known = compiled;
    if (known == null) {
      // Two threads may both do it, with the same result.
      known = Compiled.of(new GlobParser(source).segments());
      compiled = known;
    }
    return known;
  }

  /**
   * Refuses patterns that would cost too much if they are matched together: PostgreSQL compiles
   * them as one expression, which has one step for each wildcard and each distinct character.
   * Patterns that are accepted take about a tenth of a second. See {@code docs/access.md}, Scopes.
   *
   * @param pointer RFC 6901 pointer to the patterns in the request
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  public static void requireCheap(List<Glob> globs, String pointer) {
    long characters = globs.stream().flatMapToInt(g -> g.source.codePoints()).distinct().count();
    long wildcards = globs.stream().mapToLong(Glob::wildcards).sum();
    if (characters > MAX_DISTINCT_CHARACTERS
        || wildcards * characters > MAX_WILDCARDS_TIMES_CHARACTERS) {
      throw Problem.invalid(
              pointer,
              "The patterns together have %,d different characters and %,d of *, ** and ?."
                  .formatted(characters, wildcards))
          .hint(
              "Use at most %,d different characters; their number times that of the wildcards must be at most %,d."
                  .formatted(MAX_DISTINCT_CHARACTERS, MAX_WILDCARDS_TIMES_CHARACTERS));
    }
  }

  private int wildcards() {
    var found = WILDCARD.matcher(source);
    int wildcards = 0;
    while (found.find()) {
      wildcards++;
    }
    return wildcards;
  }

  /** An upper estimate of the bytes of memory that it takes once it is compiled. */
  public int bytes() {
    return BASE_BYTES + BYTES_OF_CHARACTER * source.length();
  }

  /** The same before it is compiled. */
  public int bytesOfText() {
    return BASE_BYTES_OF_TEXT + 2 * source.length();
  }

  /** Whether all of {@code wref} matches; it must be local, in NFC and without modifier. */
  public boolean matches(String wref) {
    return matches(wref, MatchingBudget.unlimited());
  }

  /**
   * As {@link #matches(String)}, with a budget that several calls share. A text that does not begin
   * or end as the pattern does, where that is literal, takes few steps.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean matches(String wref, MatchingBudget budget) {
    var known = compiled();
    if (!beginsAndEndsAlike(wref, known)) {
      budget.takeSteps(STEPS_OF_DIFFERENCE + (known.beginning + known.end) / CHARACTERS_OF_STEP);
      return false;
    }
    return known.program.matches(wref, budget);
  }

  private boolean beginsAndEndsAlike(String wref, Compiled known) {
    // Without wildcards, both are all of the pattern.
    return wref.regionMatches(0, source, 0, known.beginning)
        && wref.regionMatches(
            wref.length() - known.end, source, source.length() - known.end, known.end);
  }

  /**
   * The anchored regular expression for PostgreSQL's {@code ~}. It consists of non-capturing
   * groups, {@code [^/]}, {@code * + | ^ $} and escaped ASCII punctuation.
   */
  public String regex() {
    return "^" + compiled().program.regex() + "$";
  }

  /** The shape that every match has; empty if the first segment is not literal. */
  public Optional<String> shapeName() {
    return Optional.ofNullable(compiled().shapeName);
  }

  /**
   * The regular expression, not anchored, for the shapes that a match may have; empty if it may
   * have any. It has the same syntax as {@link #regex}.
   */
  public Optional<String> shapeRegex() {
    return Optional.ofNullable(compiled().shapeProgram).map(GlobProgram::regex);
  }

  /**
   * The prefix of the name of every match: the literal text after the shape up to the first
   * wildcard. Empty if the first segment is {@code **}.
   */
  public String namePrefix() {
    return compiled().namePrefix;
  }

  private static String namePrefixOf(List<GlobSegment> segments) {
    var out = new StringBuilder();
    for (var segment : segments.subList(1, segments.size())) {
      // a/** matches a as well, so the slash before ** is not part of the prefix
      if (segment.isAnyDepth()) {
        break;
      }
      out.append(out.isEmpty() ? "" : "/").append(segment.prefix());
      if (!segment.isLiteral()) {
        break;
      }
    }
    return out.toString();
  }

  private static String literalNameOf(List<GlobSegment> segments) {
    var name = segments.subList(1, segments.size());
    return !name.isEmpty() && name.stream().allMatch(GlobSegment::isLiteral)
        ? name.stream().map(GlobSegment::prefix).collect(Collectors.joining("/"))
        : null;
  }

  /** Whether the segments match any names that have at least a number of segments. */
  private static boolean isAny(List<GlobSegment> segments, int least) {
    return segments.stream().allMatch(s -> s.isAnyDepth() || s.isAnySegment())
        && segments.stream().anyMatch(GlobSegment::isAnyDepth)
        && segments.stream().filter(GlobSegment::isAnySegment).count() <= least;
  }

  /** The name, without the shape, that every match has; empty if it may vary. */
  public Optional<String> literalName() {
    return Optional.ofNullable(compiled().literalName);
  }

  /** Whether it is a shape with {@code /**} or the like, which everything of that shape matches. */
  public boolean isWholeShape() {
    return compiled().isWholeShape;
  }

  /** Whether every wref of a repository matches it, as {@code **}. */
  public boolean isEverything() {
    return compiled().isEverything;
  }

  /**
   * A text that every match contains: the longest literal part of the pattern; may be empty.
   * Looking for it costs little compared to {@link #matches}.
   */
  public String literal() {
    return Arrays.stream(NOT_LITERAL.split(source))
        .map(part -> OUTER_SLASHES.matcher(part).replaceAll(""))
        .max(Comparator.comparing(String::length))
        .orElse("");
  }

  /**
   * The name of the only wref that matches, without its shape, if the pattern has no wildcard and
   * no braces. If the pattern is a shape without a name, the name is empty, which no entity has.
   */
  public Optional<String> exactName() {
    int slash = source.indexOf('/');
    return compiled().isExact
        ? Optional.of(slash < 0 ? "" : source.substring(slash + 1))
        : Optional.empty();
  }

  /**
   * Whether the first segment matches {@code shapeName}, so that a thing of that shape may match.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean mayMatchShape(String shapeName, MatchingBudget budget) {
    var shape = compiled().shapeProgram;
    return shape == null || shape.matches(shapeName, budget);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Glob glob && glob.source.equals(source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }

  /** The pattern's text, in NFC. */
  @Override
  public String toString() {
    return source;
  }
}

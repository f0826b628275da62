package dev.cairn.model;

import com.google.re2j.Pattern;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A pattern over whole local wrefs, see {@code docs/model.md}, Globs. Between slashes, {@code *}
 * stands for any characters, {@code ?} for one, {@code {a,b}} for one of the alternatives, which
 * may hold {@code *} and {@code ?}; a segment {@code **} stands for any number of segments.
 *
 * <p>PostgreSQL matches it by a literal prefix, for an index, plus one regular expression, in
 * memory it is matched by a {@link GlobProgram}; neither takes exponential time.
 */
public final class Glob {
  /** Of the text and its two programs. */
  private static final int BYTES_OF_CHARACTER = 10;

  private static final int BYTES_OF_SEGMENT = 110;
  private static final int BYTES_AT_LEAST = 300;

  private static final int MAX_CHARACTERS_TOGETHER = 1_000;
  private static final int MAX_STEPS_TOGETHER = 50_000;

  /** What stands for any character; a lone {@code **} is one of these too. */
  private static final Pattern ANY = Pattern.compile("\\*\\*|[*?]");

  private static final Pattern WILDCARDS = Pattern.compile("[*?]+|\\{[^}]*\\}");

  /** Those beside {@code **}, which may stand for no segment at all. */
  private static final Pattern OUTER_SLASHES = Pattern.compile("^/+|/+$");

  private final String source;
  private final List<GlobSegment> segments;
  private final GlobProgram program;

  /** Null if the first segment is {@code **}. */
  private final GlobProgram ofShape;

  private Glob(String source, List<GlobSegment> segments) {
    this.source = source;
    this.segments = segments;
    this.program = new GlobProgram(segments);
    this.ofShape =
        segments.getFirst().isAnyDepth() ? null : new GlobProgram(segments.subList(0, 1));
  }

  /**
   * Reads a pattern of 1 to 1,024 characters, normalized to NFC.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} that names the place in the pattern
   */
  public static Glob parse(String text) {
    var parser = new GlobParser(text);
    return new Glob(parser.source(), parser.segments());
  }

  /**
   * Refuses patterns that are to be asked together and would cost too much then: PostgreSQL makes
   * one expression of them, and in it one step of each wildcard for each character that stands
   * anywhere. What is let through takes about a tenth of a second. See {@code docs/access.md},
   * Scopes.
   *
   * @param pointer where they stand in the request
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  public static void requireCheap(List<Glob> globs, String pointer) {
    long characters = globs.stream().flatMapToInt(g -> g.source.codePoints()).distinct().count();
    long wildcards = globs.stream().mapToLong(Glob::wildcards).sum();
    if (characters > MAX_CHARACTERS_TOGETHER || wildcards * characters > MAX_STEPS_TOGETHER) {
      throw Problem.invalid(
              pointer,
              "The patterns together have %,d different characters and %,d of *, ** and ?."
                  .formatted(characters, wildcards))
          .hint(
              "At most %,d characters, and multiplied at most %,d."
                  .formatted(MAX_CHARACTERS_TOGETHER, MAX_STEPS_TOGETHER));
    }
  }

  private int wildcards() {
    var found = ANY.matcher(source);
    int wildcards = 0;
    while (found.find()) {
      wildcards++;
    }
    return wildcards;
  }

  /** About how many bytes of memory it takes; not fewer. */
  public int bytes() {
    return BYTES_AT_LEAST
        + BYTES_OF_CHARACTER * source.length()
        + BYTES_OF_SEGMENT * segments.size();
  }

  /** Whether {@code wref}, a local one in NFC without modifier, matches as a whole. */
  public boolean matches(String wref) {
    return matches(wref, MatchingBudget.unlimited());
  }

  /**
   * The same, of many that are matched together.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean matches(String wref, MatchingBudget budget) {
    return program.matches(wref, budget);
  }

  /**
   * The anchored regular expression for PostgreSQL's {@code ~}. It is made of groups without
   * capture, {@code [^/]}, {@code * + | ^ $} and escaped ASCII punctuation.
   */
  public String regex() {
    return "^" + program.regex() + "$";
  }

  /** The shape that every match has, where the first segment is literal. */
  public Optional<String> shapeName() {
    var first = segments.getFirst();
    return first.isLiteral() ? Optional.of(first.prefix()) : Optional.empty();
  }

  /**
   * The regular expression, not anchored, for the shapes that a match may have; empty for all. It
   * is of the same make as {@link #regex}.
   */
  public Optional<String> shapeRegex() {
    return Optional.ofNullable(ofShape).map(GlobProgram::regex);
  }

  /**
   * What the name of every match begins with: the literal text after the shape up to the first
   * wildcard. Empty where the shape is not literal.
   */
  public String namePrefix() {
    if (shapeName().isEmpty()) {
      return "";
    }
    var out = new StringBuilder();
    for (var segment : segments.subList(1, segments.size())) {
      // a/** matches a as well, so the slash before ** is no part of the prefix
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

  /** Whether it is a shape with {@code /**}, which everything of that shape matches. */
  public boolean isWholeShape() {
    return segments.size() == 2 && segments.getFirst().isLiteral() && segments.get(1).isAnyDepth();
  }

  /**
   * A text that every match holds, the longest that can be seen in the pattern; may be empty. To
   * look for it costs little beside {@link #matches}.
   */
  public String literal() {
    return Arrays.stream(WILDCARDS.split(source))
        .map(part -> OUTER_SLASHES.matcher(part).replaceAll(""))
        .max(Comparator.comparing(String::length))
        .orElse("");
  }

  /**
   * The name behind the shape of the only wref that matches, where the pattern has no wildcard and
   * no braces; the empty name, which nothing has, where it is a shape without a name.
   */
  public Optional<String> exactName() {
    int slash = source.indexOf('/');
    return segments.stream().allMatch(GlobSegment::isLiteral)
        ? Optional.of(slash < 0 ? "" : source.substring(slash + 1))
        : Optional.empty();
  }

  /**
   * Whether the first segment matches {@code shapeName}, so that some thing of it may match.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean mayMatchShape(String shapeName, MatchingBudget budget) {
    return ofShape == null || ofShape.matches(shapeName, budget);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Glob glob && glob.source.equals(source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }

  /** The pattern as it was written, in NFC. */
  @Override
  public String toString() {
    return source;
  }
}

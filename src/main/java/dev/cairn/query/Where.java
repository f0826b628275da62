package dev.cairn.query;

import dev.cairn.model.Excerpt;
import dev.cairn.model.Problem;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A predicate on a field of the data, given by the parameter {@code where}; see {@code
 * docs/reads.md}, Fields.
 *
 * @param text the whole text of the parameter
 * @param path the names of nested fields, outermost first
 */
record Where(String text, List<String> path, Op op, String value) {
  private static final int MAX_CONDITIONS = 8;
  private static final int PARTS = 3;

  /** The database compares each with each element of each list. */
  private static final int MAX_VALUES = 200;

  /** The operators of predicates. */
  enum Op {
    EQ,
    NE,
    GT,
    GTE,
    LT,
    LTE,
    PREFIX,
    IN,
    EXISTS;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Reads all predicates of a request.
   *
   * @param hasShape whether the request names the shape whose fields they are
   */
  static List<Where> parse(List<String> texts, boolean hasShape) {
    if (texts.size() > MAX_CONDITIONS) {
      throw Problem.invalid(
          "?where",
          "At most %d `where` parameters may be given, not %d."
              .formatted(MAX_CONDITIONS, texts.size()));
    }
    if (!texts.isEmpty() && !hasShape) {
      throw Problem.invalid("?where", "`where` requires `shape`, which defines the fields.");
    }
    var all = texts.stream().map(Where::parse).toList();
    int values = all.stream().mapToInt(where -> where.values().size()).sum();
    if (values > MAX_VALUES) {
      throw Problem.invalid(
              "?where",
              "All `where` parameters may have at most %d values together, not %d."
                  .formatted(MAX_VALUES, values))
          .hint("Ask for fewer at a time.");
    }
    return all;
  }

  private static Where parse(String text) {
    var parts = text.split(":", PARTS);
    if (parts.length < PARTS) {
      throw refused(text, "it must be <field path>:<op>:<value>, such as price:gt:100.");
    }
    return new Where(text, List.of(parts[0].split("\\.", -1)), op(text, parts[1]), parts[2]);
  }

  private static Op op(String text, String wire) {
    return Arrays.stream(Op.values())
        .filter(op -> op.wire().equals(wire))
        .findFirst()
        .orElseThrow(
            () ->
                refused(
                    text, "its operator must be one of " + names(EnumSet.allOf(Op.class)) + "."));
  }

  /** The names of the operators in requests. */
  static String names(Set<Op> ops) {
    return ops.stream().map(Op::wire).collect(Collectors.joining(", "));
  }

  /** The values of {@code in}; the only value of any other operator. */
  List<String> values() {
    return op == Op.IN ? List.of(value.split(",", -1)) : List.of(value);
  }

  /** The problem of this predicate. */
  Problem refused(String reason) {
    return refused(text, reason);
  }

  private static Problem refused(String text, String reason) {
    return Problem.invalid("?where", "`where` " + Excerpt.quoted(text) + ": " + reason);
  }
}

package dev.cairn.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The one exception for a broken rule. It becomes an RFC 9457 problem document in an HTTP answer
 * and an error object in an operation's result; see {@code docs/errors.md}.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final int MAX_POINTER_LENGTH = 1_000;

  private final ErrorCode code;
  private final transient List<Violation> listed;
  private final int unlisted;
  private final transient Map<String, Object> details;
  private final String hint;

  /**
   * One broken rule.
   *
   * @param pointer RFC 6901 pointer into the request body, or {@code ?} and the name of a
   *     parameter; one of more than 1,000 characters is cut and ends in {@code …}
   * @param detail the rule and what was found, for a person
   */
  public record Violation(String pointer, String detail) {
    /** Masks tokens in both, and cuts the pointer. */
    public Violation {
      pointer = Excerpt.cut(Masking.of(pointer), MAX_POINTER_LENGTH);
      detail = Masking.of(detail);
    }
  }

  private Problem(
      ErrorCode code,
      String detail,
      List<Violation> listed,
      int unlisted,
      Map<String, Object> details,
      String hint) {
    super(Masking.of(detail), null, false, false);
    this.code = code;
    this.listed = List.copyOf(listed);
    this.unlisted = unlisted;
    this.details = details;
    this.hint = hint;
  }

  /** A problem with only a detail. */
  public static Problem of(ErrorCode code, String detail) {
    return new Problem(code, detail, List.of(), 0, Map.of(), null);
  }

  /**
   * A problem with several violations; its detail is that of the first one.
   *
   * @param unlisted number of further violations, which are not listed
   */
  static Problem of(ErrorCode code, List<Violation> listed, int unlisted) {
    return new Problem(code, listed.getFirst().detail(), listed, unlisted, Map.of(), null);
  }

  /** A {@link ErrorCode#VALIDATION_ERROR} with one violation. */
  public static Problem invalid(String pointer, String detail) {
    return of(ErrorCode.VALIDATION_ERROR, List.of(new Violation(pointer, detail)), 0);
  }

  /** A {@link ErrorCode#NOT_FOUND} whose detail names the missing resource. */
  public static Problem notFound(String detail) {
    return of(ErrorCode.NOT_FOUND, detail);
  }

  /** The same problem with one more entry in {@code details}. */
  public Problem with(String key, Object value) {
    var known = new LinkedHashMap<>(details);
    known.put(key, value);
    return new Problem(code, getMessage(), listed, unlisted, known, hint);
  }

  /** The same problem with a sentence that says what to do about it. */
  public Problem hint(String sentence) {
    return new Problem(code, getMessage(), listed, unlisted, details, sentence);
  }

  /** The same problem for an enclosing document: {@code prefix} is put before every pointer. */
  public Problem under(String prefix) {
    return withPointers(pointer -> prefix + pointer);
  }

  /** The same problem with pointers that begin with {@code from} moved to begin with {@code to}. */
  public Problem moved(String from, String to) {
    return withPointers(p -> p.startsWith(from) ? to + p.substring(from.length()) : p);
  }

  /** The same problem with other pointers. */
  public Problem withPointers(UnaryOperator<String> pointers) {
    var moved =
        listed.stream().map(e -> new Violation(pointers.apply(e.pointer()), e.detail())).toList();
    return new Problem(code, getMessage(), moved, unlisted, details, hint);
  }

  /**
   * The same problem with a pointer: {@code pointer} itself if it has none, otherwise before each.
   */
  public Problem at(String pointer) {
    if (!listed.isEmpty()) {
      return under(pointer);
    }
    return new Problem(
        code, getMessage(), List.of(new Violation(pointer, getMessage())), unlisted, details, hint);
  }

  public ErrorCode code() {
    return code;
  }

  /** The sentence for people; never null. */
  public String detail() {
    return getMessage();
  }

  /**
   * The broken rules, in the order of the request, but errors of form first; may be empty. If not
   * all are listed, a last entry says how many more there are.
   */
  public List<Violation> errors() {
    if (unlisted == 0) {
      return listed;
    }
    var errors = new ArrayList<>(listed);
    errors.add(new Violation("", "and %,d more".formatted(unlisted)));
    return errors;
  }

  List<Violation> listed() {
    return listed;
  }

  int unlisted() {
    return unlisted;
  }

  /** Machine-readable details, such as {@code reason}; may be empty. */
  public Map<String, Object> details() {
    return details;
  }

  /** A sentence that says what to do about it, or null. */
  public String hint() {
    return hint;
  }
}

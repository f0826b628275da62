package dev.cairn.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The one exception by which a rule says no. It becomes an RFC 9457 problem document at the HTTP
 * door and an error object in an operation's result; see {@code docs/errors.md}.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient List<Violation> errors;
  private final transient Map<String, Object> details;
  private final String hint;

  /**
   * One broken rule.
   *
   * @param pointer RFC 6901 pointer into the request body, or the name of a parameter or header
   * @param detail the rule and what was found, for a person
   */
  public record Violation(String pointer, String detail) {}

  private Problem(
      ErrorCode code,
      String detail,
      List<Violation> errors,
      Map<String, Object> details,
      String hint) {
    super(detail, null, false, false);
    this.code = code;
    this.errors = List.copyOf(errors);
    this.details = details;
    this.hint = hint;
  }

  /** A problem with nothing but its sentence. */
  public static Problem of(ErrorCode code, String detail) {
    return new Problem(code, detail, List.of(), Map.of(), null);
  }

  /** A problem about several places; its detail is that of the first one. */
  public static Problem of(ErrorCode code, List<Violation> errors) {
    return new Problem(code, errors.getFirst().detail(), errors, Map.of(), null);
  }

  /** A {@link ErrorCode#VALIDATION_ERROR} at one place. */
  public static Problem invalid(String pointer, String detail) {
    return of(ErrorCode.VALIDATION_ERROR, List.of(new Violation(pointer, detail)));
  }

  /** A {@link ErrorCode#NOT_FOUND} whose sentence names what was looked for. */
  public static Problem notFound(String detail) {
    return of(ErrorCode.NOT_FOUND, detail);
  }

  /** The same problem with one more entry in {@code details}. */
  public Problem with(String key, Object value) {
    var more = new LinkedHashMap<>(details);
    more.put(key, value);
    return new Problem(code, getMessage(), errors, more, hint);
  }

  /** The same problem with a sentence on what to do about it. */
  public Problem hint(String sentence) {
    return new Problem(code, getMessage(), errors, details, sentence);
  }

  /** The same problem as seen from further out: {@code prefix} goes before every pointer. */
  public Problem under(String prefix) {
    var moved = errors.stream().map(e -> new Violation(prefix + e.pointer(), e.detail())).toList();
    return new Problem(code, getMessage(), moved, details, hint);
  }

  /** The same problem, placed at {@code pointer} where it named no place so far. */
  public Problem at(String pointer) {
    if (!errors.isEmpty()) {
      return under(pointer);
    }
    return new Problem(
        code, getMessage(), List.of(new Violation(pointer, getMessage())), details, hint);
  }

  public ErrorCode code() {
    return code;
  }

  /** The sentence for a person; never null. */
  public String detail() {
    return getMessage();
  }

  /** The broken rules, in the order of the request; may be empty. */
  public List<Violation> errors() {
    return errors;
  }

  /** Machine-readable particulars, such as {@code reason}; may be empty. */
  public Map<String, Object> details() {
    return details;
  }

  /** What to do about it, or null. */
  public String hint() {
    return hint;
  }
}

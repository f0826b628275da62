package dev.cairn.model;

/**
 * The target of a reference in a write: an entity, or the result of an earlier operation of the
 * commit.
 */
public sealed interface Link {
  /**
   * An entity.
   *
   * @param wref local or canonical, bare, with {@code @HEAD} or with a version
   */
  record To(Wref wref) implements Link {}

  /**
   * {@code $n}: the entity that the operation with that index creates or changes.
   *
   * @param index counted from 0
   */
  record Result(int index) implements Link {}

  /**
   * Reads a wref or {@code $n}.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}; also for {@code @ALL}, which does not refer
   *     to one version
   */
  static Link parse(String text) {
    if (isResult(text)) {
      return new Result(Integer.parseInt(text.substring(1)));
    }
    var wref = Wref.parse(text);
    if (wref.modifier() instanceof Wref.Modifier.All) {
      throw Problem.of(
          ErrorCode.VALIDATION_ERROR, "A write refers to one version: @ALL is not allowed here.");
    }
    return new To(wref);
  }

  /** Whether the text, which may be null, is {@code $} and a number of at most seven digits. */
  static boolean isResult(String text) {
    return text != null
        && text.length() >= 2
        && text.length() <= 8
        && text.charAt(0) == '$'
        && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9')
        && (text.length() == 2 || text.charAt(1) != '0');
  }
}

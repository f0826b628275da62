package dev.cairn.access.conditional;

import io.vertx.core.MultiMap;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entity tags in {@code If-Match} or {@code If-None-Match} (RFC 9110). A malformed header lists
 * no tags. The header is kept as it came, and read for each question: a set of its tags would take
 * many times its length while a request waits.
 */
public final class EntityTags {
  private static final String ANY = "*";
  private static final int FOUND = -1;
  private static final Pattern NEXT =
      Pattern.compile("[ \\t,]*+(W/)?\"([!#-~\\x80-\\xFF]*+)\"[ \\t]*+(?:,[ \\t,]*+|$)");

  private final String text;

  private EntityTags(List<String> lines) {
    var line = (lines.size() == 1 ? lines.getFirst() : String.join(",", lines)).strip();
    this.text = line.equals(ANY) || read(line, _ -> false) == line.length() ? line : "";
  }

  /** The tags of {@code If-None-Match}: a representation with one of them need not be sent. */
  public static EntityTags ifNoneMatch(MultiMap headers) {
    return new EntityTags(headers.getAll(HttpHeaders.IF_NONE_MATCH));
  }

  /** The tags of {@code If-Match}: the present state must have one of them. */
  static EntityTags ifMatch(MultiMap headers) {
    return new EntityTags(headers.getAll(HttpHeaders.IF_MATCH));
  }

  /** Whether the header is {@code *}, which matches every existing state. */
  boolean any() {
    return text.equals(ANY);
  }

  /** Whether any tag is listed. */
  boolean listsAny() {
    return !any() && text.indexOf('"') >= 0;
  }

  /**
   * Whether a tag is listed, be it weak or strong.
   *
   * @param tag without its quotes
   */
  boolean lists(String tag) {
    return lists(tag, false);
  }

  /**
   * Whether a tag is listed as a strong one, as {@code If-Match} requires.
   *
   * @param tag without its quotes
   */
  boolean listsStrongly(String tag) {
    return lists(tag, true);
  }

  /**
   * Whether the caller has what has this tag, so that it need not be sent.
   *
   * @param quoted the tag with its quotes
   */
  public boolean include(String quoted) {
    return any() || lists(unquoted(quoted));
  }

  /** A tag without its quotes. */
  static String unquoted(String quoted) {
    return quoted.substring(1, quoted.length() - 1);
  }

  private boolean lists(String tag, boolean isStrong) {
    return read(text, next -> tag.equals(next.group(2)) && !(isStrong && next.group(1) != null))
        == FOUND;
  }

  /** Reads tags up to one that is looked for; returns {@link #FOUND}, or where it ended. */
  private static int read(String text, Predicate<Matcher> isLookedFor) {
    var next = NEXT.matcher(text);
    int read = 0;
    while (read < text.length() && next.region(read, text.length()).lookingAt()) {
      if (isLookedFor.test(next)) {
        return FOUND;
      }
      read = next.end();
    }
    return read;
  }
}

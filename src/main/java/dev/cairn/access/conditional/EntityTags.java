package dev.cairn.access.conditional;

import io.vertx.core.MultiMap;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The entity tags in {@code If-Match} or {@code If-None-Match} (RFC 9110). A malformed header lists
 * no tags.
 *
 * @param any whether the header is {@code *}, which matches every existing state
 * @param weak the tags that are marked as weak, without their quotes
 * @param strong all other tags, without their quotes
 */
record EntityTags(boolean any, Set<String> weak, Set<String> strong) {
  private static final EntityTags NONE = new EntityTags(false, Set.of(), Set.of());
  private static final Pattern NEXT =
      Pattern.compile("[ \\t,]*+(W/)?\"([!#-~\\x80-\\xFF]*+)\"[ \\t]*+(?:,[ \\t,]*+|$)");

  /** The tags of {@code If-None-Match}: a representation with one of them need not be sent. */
  static EntityTags ifNoneMatch(MultiMap headers) {
    return of(headers.getAll(HttpHeaders.IF_NONE_MATCH));
  }

  /** The tags of {@code If-Match}: the present state must have one of them. */
  static EntityTags ifMatch(MultiMap headers) {
    return of(headers.getAll(HttpHeaders.IF_MATCH));
  }

  private static EntityTags of(List<String> lines) {
    var text = String.join(",", lines).strip();
    if (text.equals("*")) {
      return new EntityTags(true, Set.of(), Set.of());
    }
    var weak = new HashSet<String>();
    var strong = new HashSet<String>();
    var next = NEXT.matcher(text);
    int read = 0;
    for (;
        read < text.length() && next.region(read, text.length()).lookingAt();
        read = next.end()) {
      (next.group(1) == null ? strong : weak).add(next.group(2));
    }
    return read < text.length() ? NONE : new EntityTags(false, weak, strong);
  }

  /** Whether any tag is listed. */
  boolean listsAny() {
    return !weak.isEmpty() || !strong.isEmpty();
  }

  /** Whether a tag is listed, be it weak or strong. */
  boolean lists(String tag) {
    return weak.contains(tag) || strong.contains(tag);
  }

  /**
   * Whether a tag is listed as a strong one, as {@code If-Match} requires.
   *
   * @param quoted the tag with its quotes
   */
  boolean listsStrongly(String quoted) {
    return strong.contains(quoted.substring(1, quoted.length() - 1));
  }
}

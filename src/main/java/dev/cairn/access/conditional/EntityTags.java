package dev.cairn.access.conditional;

import dev.cairn.platform.http.AcceptedCoding;
import dev.cairn.platform.http.Gzip;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.Optional;
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
      Pattern.compile("[ \\t,]*+(W/)?(\"[!#-~\\x80-\\xFF]*+\")[ \\t]*+(?:,[ \\t,]*+|$)");

  private final String text;
  private final AcceptedCoding coding;

  private EntityTags(List<String> lines, AcceptedCoding coding) {
    var line = (lines.size() == 1 ? lines.getFirst() : String.join(",", lines)).strip();
    this.text = line.equals(ANY) || read(line, _ -> false) == line.length() ? line : "";
    this.coding = coding;
  }

  /** The tags of {@code If-None-Match}: a representation with one of them need not be sent. */
  public static EntityTags ifNoneMatch(HttpServerRequest request) {
    return ifNoneMatch(request.headers(), AcceptedCoding.of(request));
  }

  /** The same for a client that accepts this coding. */
  static EntityTags ifNoneMatch(MultiMap headers, AcceptedCoding coding) {
    return new EntityTags(headers.getAll(HttpHeaders.IF_NONE_MATCH), coding);
  }

  /**
   * The tags of {@code If-Match}: the present state must have one of them, as it is or compressed.
   */
  static EntityTags ifMatch(MultiMap headers) {
    return new EntityTags(headers.getAll(HttpHeaders.IF_MATCH), AcceptedCoding.GZIP_IF_LONG);
  }

  /** Whether the header is {@code *}, which matches every existing state. */
  boolean matchesAny() {
    return text.equals(ANY);
  }

  /** Whether any tag is listed. */
  boolean listsAny() {
    return !matchesAny() && text.indexOf('"') >= 0;
  }

  /**
   * The tag of the answer that the client has, compressed or as it is, so that it need not be sent;
   * empty if none is listed. The form that the client has must be one that it accepts.
   *
   * @param tag of the answer as it is, with its quotes
   */
  Optional<String> held(String tag) {
    var compressed = Gzip.tag(tag);
    if (coding.allows(true) && lists(compressed, false)) {
      return Optional.of(compressed);
    }
    return coding.allows(false) && lists(tag, false) ? Optional.of(tag) : Optional.empty();
  }

  /**
   * The same for an answer that exists, so that {@code *} matches the form that would be sent.
   *
   * @param length of the answer as it is, in bytes
   */
  public Optional<String> held(String tag, long length) {
    return matchesAny() ? Optional.of(coding.compresses(length) ? Gzip.tag(tag) : tag) : held(tag);
  }

  /**
   * Whether a tag is listed as a strong one, as {@code If-Match} requires, in either form: both
   * name the same state.
   *
   * @param tag of the answer as it is, with its quotes
   */
  boolean listsStrongly(String tag) {
    return lists(tag, true) || lists(Gzip.tag(tag), true);
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

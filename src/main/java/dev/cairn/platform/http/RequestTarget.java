package dev.cairn.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rules for request targets, as in the request line: {@code docs/api.md}, Paths. A path is
 * never normalized. A path that a framework or a proxy could interpret as another path is refused,
 * so that the text of a path always determines the route that answers it.
 */
public final class RequestTarget {
  private static final Pattern ORIGIN_OF_ABSOLUTE_FORM =
      Pattern.compile("^(?i)https?://([^/?#\\\\]+)(?=/|$)");

  private static final Pattern ESCAPED_LETTER_OR_DIGIT =
      Pattern.compile("%(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])");

  /** An escaped character other than a letter or digit that occurs in routes. */
  private static final Pattern ESCAPED_MARK = Pattern.compile("%(?:2[DdEe]|5[Ff])");

  private static final Pattern NOT_ASCII = Pattern.compile("[^\\x21-\\x7E]");

  /** The prefix of management pages, some of which are directories. */
  private static final String MANAGEMENT = "/q/";

  /** The separators at which the path would be split if it were decoded first. */
  private static final Pattern SEPARATOR = Pattern.compile("[/\\\\]");

  private static final Set<String> DOTS = Set.of(".", "..");

  /** A percent sign that was encoded several times. In one pass, since targets are long. */
  private static final Pattern NESTED_PERCENT = Pattern.compile("%(?:25)++");

  private RequestTarget() {}

  /**
   * The part of a target that names a route, with the query if there is one, without scheme and
   * authority. Only for targets without a {@link #fault}.
   */
  static String withoutOrigin(String target) {
    var rest = ORIGIN_OF_ABSOLUTE_FORM.matcher(target).replaceFirst("");
    return rest.isEmpty() && !target.isEmpty() ? "/" : rest;
  }

  /**
   * Whether a text can be a segment of a path, percent-encoded, also once more: nothing in it is
   * refused there.
   */
  public static boolean isSegment(String text) {
    return text.indexOf('\\') < 0 && text.indexOf('\0') < 0 && ofName(decodedFully(text)).isEmpty();
  }

  /** The rule that a target breaks, as a sentence; empty if it breaks none. */
  static Optional<String> fault(String target) {
    if (NOT_ASCII.matcher(target).find()) {
      // Its bytes would be decoded as characters of another encoding.
      return Optional.of(
          "A request target must be ASCII: percent-encode other characters as UTF-8.");
    }
    if (target.indexOf('#') >= 0) {
      return Optional.of("A request target must not have a fragment: write `#` as %23.");
    }
    var rest = withoutOrigin(target);
    if (!rest.startsWith("/")) {
      return Optional.of(
          "A request target must be a path that begins with `/`, or an absolute http or https URL.");
    }
    int query = rest.indexOf('?');
    return ofPath(query < 0 ? rest : rest.substring(0, query));
  }

  /**
   * The rule that the authority of a target in absolute form breaks; empty if it breaks none.
   *
   * @param hostOrNull the {@code Host} of the request
   */
  static Optional<String> faultOfAuthority(String target, String hostOrNull) {
    var origin = ORIGIN_OF_ABSOLUTE_FORM.matcher(target);
    if (!origin.lookingAt()) {
      return Optional.empty();
    }
    var authority = origin.group(1);
    if (authority.indexOf('@') >= 0) {
      return Optional.of("A request target must not contain a user name or password.");
    }
    return hostOrNull == null || authority.equalsIgnoreCase(hostOrNull)
        ? Optional.empty()
        : Optional.of("The host and port of an absolute request target must be those of `Host`.");
  }

  private static Optional<String> ofPath(String path) {
    if (ESCAPED_LETTER_OR_DIGIT.matcher(path).find()) {
      return Optional.of("Letters and digits in a path must not be percent-encoded.");
    }
    var segments = path.substring(1).split("/", -1);
    if (segments[0].indexOf('%') >= 0) {
      return Optional.of("The first segment of a path must not have percent-encoded characters.");
    }
    int count = segments.length;
    if (path.equals("/") || (path.startsWith(MANAGEMENT) && segments[count - 1].isEmpty())) {
      count--;
    }
    for (int i = 0; i < count; i++) {
      var fault = ofSegment(segments[i]);
      if (fault.isPresent()) {
        return fault;
      }
    }
    return ESCAPED_MARK.matcher(path).find()
        ? Optional.of("`-`, `.` and `_` in a path must not be percent-encoded.")
        : Optional.empty();
  }

  private static Optional<String> ofSegment(String segment) {
    if (segment.isEmpty()) {
      return Optional.of(
          "A path must not have an empty segment: no doubled `/`, and no `/` at the end.");
    }
    try {
      var text = decoded(segment);
      if (text.indexOf('\\') >= 0) {
        return Optional.of("A path must not contain a backslash, plain or as %5C.");
      }
      if (text.indexOf('\0') >= 0) {
        return Optional.of("A path must not contain %00.");
      }
      return ofName(decodedFully(text));
    } catch (CharacterCodingException e) {
      return Optional.of("The percent-encoded bytes of a path must be valid UTF-8.");
    }
  }

  private static Optional<String> ofName(String name) {
    return SEPARATOR
            .splitAsStream(name)
            .map(RequestTarget::withoutParameters)
            .anyMatch(DOTS::contains)
        ? Optional.of(
            "A path must not have a dot segment: no segment may be `.` or `..`, also percent-encoded,"
                + " with `;` parameters, or beside an encoded slash.")
        : Optional.empty();
  }

  private static String withoutParameters(String segment) {
    int end = segment.indexOf(';');
    return end < 0 ? segment : segment.substring(0, end);
  }

  /** The text after decoding as often as possible. */
  private static String decodedFully(String text) {
    return NESTED_PERCENT
        .matcher(text)
        .replaceAll("%")
        .replace("%2e", ".")
        .replace("%2E", ".")
        .replace("%2f", "/")
        .replace("%2F", "/")
        .replace("%5c", "\\")
        .replace("%5C", "\\")
        .replace("%3b", ";")
        .replace("%3B", ";");
  }

  /** Decodes a segment, whose characters are the bytes of the target. */
  private static String decoded(String segment) throws CharacterCodingException {
    var bytes = new ByteArrayOutputStream(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      if (segment.charAt(i) == '%') {
        bytes.write(HexFormat.fromHexDigits(segment, i + 1, i + 3));
        i += 2;
      } else {
        bytes.write(segment.charAt(i));
      }
    }
    return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
  }
}

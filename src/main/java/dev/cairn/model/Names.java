package dev.cairn.model;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rules for names, see {@code docs/model.md}, Names. Each method returns the normalized name or
 * throws a {@link Problem} whose detail states the rule and the value.
 */
public final class Names {
  private static final int MAX_THING = 512;

  /** How many characters a composed one may be written as: no longer text is normalized. */
  private static final int MAX_DECOMPOSED = 4;

  private static final Pattern TENANT = Pattern.compile("[a-z0-9]([a-z0-9._-]{0,98}[a-z0-9])?");
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,127}");
  private static final Pattern SUBSCRIPTION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,127}");

  /** Segments that a URL path cannot have; a name is part of one. */
  private static final Pattern EMPTY_OR_DOT_SEGMENT = Pattern.compile("/\\.{0,2}(/|$)");

  private static final String FORBIDDEN = "@*?{}\\#%";
  private static final Set<String> RESERVED =
      Set.of(
          "admin",
          "api",
          "auth",
          "billing",
          "device",
          "internal",
          "oauth2",
          "blog",
          "docs",
          "help",
          "login",
          "mcp",
          "oauth",
          "public",
          "q",
          "settings",
          "signup",
          "sse",
          "live",
          "status",
          "support",
          "system",
          "cairn",
          "www",
          ".well-known");

  private Names() {}

  /**
   * An organization's name as a request body gives it: lower case only, and not reserved.
   *
   * @throws Problem {@link ErrorCode#RESERVED_NAME} or {@link ErrorCode#VALIDATION_ERROR}
   */
  public static String org(String name) {
    if (name != null && RESERVED.contains(name)) {
      throw Problem.of(
              ErrorCode.RESERVED_NAME,
              "The organization name " + Excerpt.quoted(name) + " is reserved for the service")
          .hint("Choose another name.");
    }
    return orgSyntax(name);
  }

  /**
   * A repository's name as a request body gives it: lower case only.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  public static String repo(String name) {
    return tenant("A repository name", name);
  }

  /**
   * A shape's name.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  public static String shape(String name) {
    if (!isShape(name)) {
      throw refused(
          "A shape name must be a letter followed by at most 127 letters, digits, '_' or '-'",
          name);
    }
    return name;
  }

  /** Whether {@code name}, which may be null, has the form of a shape's name. */
  public static boolean isShape(String name) {
    return name != null && SHAPE.matcher(name).matches();
  }

  /**
   * The local name of a thing or assertion, normalized to NFC; all rules apply to the normalized
   * name.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  public static String thing(String name) {
    if (name == null || name.isEmpty() || name.length() > MAX_THING * MAX_DECOMPOSED) {
      throw refused("A thing name must have 1 to 512 characters", name);
    }
    var normal = Nfc.of(name);
    if (normal.codePointCount(0, normal.length()) > MAX_THING) {
      throw refused("A thing name must have 1 to 512 characters", name);
    }
    requireAllowedCharacters(normal);
    requireSegments(normal);
    return normal;
  }

  /**
   * A subscription's name.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  public static String subscription(String name) {
    if (name == null || !SUBSCRIPTION.matcher(name).matches()) {
      throw refused(
          "A subscription name must be a letter or digit followed by at most 127 letters, digits,"
              + " '.', '_', '/' or '-'",
          name);
    }
    if (EMPTY_OR_DOT_SEGMENT.matcher(name).find()) {
      throw refused("No segment of a subscription name may be empty, '.' or '..'", name);
    }
    return name;
  }

  /** Checks the syntax alone: a wref may name an organization whose name is now reserved. */
  public static String orgSyntax(String name) {
    return tenant("An organization name", name);
  }

  private static String tenant(String what, String name) {
    if (name == null || name.contains("..") || !TENANT.matcher(name).matches()) {
      throw refused(
          what
              + " must have 1 to 100 lower-case letters, digits, '.', '_' or '-', begin and end with a"
              + " letter or digit, and not contain '..'",
          name);
    }
    return name;
  }

  private static void requireAllowedCharacters(String name) {
    for (int at = 0; at < name.length(); at += Character.charCount(name.codePointAt(at))) {
      int c = name.codePointAt(at);
      if (FORBIDDEN.indexOf(c) >= 0 || !isAllowed(c)) {
        throw refused(
            "A thing name may contain letters, marks, numbers, punctuation and symbols except"
                + " @ * ? { } \\ # %%, but not U+%04X".formatted(c),
            name);
      }
    }
  }

  private static boolean isAllowed(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static void requireSegments(String name) {
    int from = 0;
    while (from <= name.length()) {
      int slash = name.indexOf('/', from);
      int to = slash < 0 ? name.length() : slash;
      requireSegment(name, name.substring(from, to));
      from = to + 1;
    }
  }

  private static void requireSegment(String name, String segment) {
    if (segment.isEmpty()) {
      throw refused("A thing name must not have a leading, trailing or doubled '/'", name);
    }
    int parameters = segment.indexOf(';');
    var text = parameters < 0 ? segment : segment.substring(0, parameters);
    if (text.equals(".") || text.equals("..")) {
      throw refused("No segment of a thing name may be '.' or '..', also before a ';'", name);
    }
  }

  private static Problem refused(String rule, String value) {
    return Problem.of(ErrorCode.VALIDATION_ERROR, rule + "; found " + Excerpt.quoted(value));
  }
}

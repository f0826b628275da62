package dev.cairn.oauth;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The rules for redirect URIs: https; http on a loopback address, at any port (RFC 8252); or a
 * private-use scheme of an application, which is a reversed domain name.
 */
final class RedirectUris {
  private static final int MAX_LENGTH = 2_000;
  private static final int MAX_PORT = 65_535;
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

  /** No domain name, written backwards, begins with one of these. */
  private static final Set<String> SCHEMES_OF_BROWSERS =
      Set.of(
          "about",
          "blob",
          "chrome",
          "data",
          "file",
          "filesystem",
          "ftp",
          "http",
          "https",
          "intent",
          "jar",
          "javascript",
          "mailto",
          "resource",
          "vbscript",
          "view-source",
          "ws",
          "wss");

  private RedirectUris() {}

  /** The URI, if it may be registered. */
  static Optional<URI> read(String text) {
    return text.length() > MAX_LENGTH ? Optional.empty() : parse(text).filter(RedirectUris::isFit);
  }

  /** Whether a registered redirect URI covers a requested one. */
  static boolean match(String registered, String requested) {
    if (registered.equals(requested)) {
      return true;
    }
    return parse(registered)
        .filter(RedirectUris::isLoopback)
        .flatMap(known -> read(requested).filter(other -> isSameButForThePort(known, other)))
        .isPresent();
  }

  private static boolean isFit(URI uri) {
    if (uri.getRawFragment() != null || uri.getRawUserInfo() != null || uri.getScheme() == null) {
      return false;
    }
    return switch (uri.getScheme()) {
      case "https" -> uri.getHost() != null && uri.getPort() <= MAX_PORT;
      case "http" -> isLoopback(uri) && uri.getPort() <= MAX_PORT;
      default -> isOfApplication(uri.getScheme());
    };
  }

  private static boolean isOfApplication(String scheme) {
    var labels = scheme.toLowerCase(Locale.ROOT).split("\\.", -1);
    return labels.length > 1
        && Arrays.stream(labels).noneMatch(String::isEmpty)
        && !SCHEMES_OF_BROWSERS.contains(labels[0]);
  }

  /** Whether the answer stays on the computer of the person. */
  static boolean isLoopback(URI uri) {
    return "http".equals(uri.getScheme())
        && uri.getHost() != null
        && LOOPBACK.contains(uri.getHost());
  }

  private static boolean isSameButForThePort(URI known, URI other) {
    return isLoopback(other)
        && known.getHost().equals(other.getHost())
        && known.getRawPath().equals(other.getRawPath())
        && String.valueOf(known.getRawQuery()).equals(String.valueOf(other.getRawQuery()));
  }

  private static Optional<URI> parse(String text) {
    try {
      return isAscii(text) ? Optional.of(new URI(text)) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}

package dev.cairn.egress;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The parts of a URL, normalized.
 *
 * @param isHttps whether over TLS
 * @param host the normalized name, or the address, in brackets if of IPv6
 * @param literal the address, if the URL has one instead of a name
 * @param port 1 to 65535
 * @param path path and query
 */
record TargetUrl(
    boolean isHttps, String host, Optional<InetAddress> literal, int port, String path) {
  private static final String LOCAL = "localhost";

  private static final Pattern AUTHORITY =
      Pattern.compile("(?<host>\\[[^\\[\\]]*]|[^:\\[\\]]*)(:(?<port>[0-9]{1,5}))?");

  private static final HexFormat PERCENT = HexFormat.of().withUpperCase().withPrefix("%");

  /**
   * Reads a URL. The host is read here and not by {@link URI}, which takes what it does not know
   * for a registry's name and then has no host at all.
   */
  static TargetUrl parse(String text) throws ForbiddenTargetException {
    var uri = uri(text);
    var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("https") && !scheme.equals("http")) {
      throw new ForbiddenTargetException("The URL must begin with https://.");
    }
    var authority = uri.getRawAuthority();
    if (uri.isOpaque() || authority == null) {
      throw new ForbiddenTargetException("The URL must have a host: `https://host/path`.");
    }
    if (authority.indexOf('@') >= 0) {
      throw new ForbiddenTargetException("The URL must not contain a user name or password.");
    }
    if (uri.getRawFragment() != null) {
      throw new ForbiddenTargetException("The URL must not have a fragment (`#…`).");
    }
    var parts = AUTHORITY.matcher(authority);
    if (!parts.matches()) {
      throw new ForbiddenTargetException("The URL's host or port is malformed.");
    }
    boolean isHttps = scheme.equals("https");
    int port = port(parts.group("port"), isHttps);
    var path = path(uri);
    return withHost(isHttps, parts.group("host"), port, path);
  }

  /**
   * Whether the host needs no look-up: a numeric address, or {@code localhost} and names below it,
   * which always mean this machine.
   */
  boolean tellsItsAddress() {
    return literal.isPresent() || host.equals(LOCAL) || host.endsWith("." + LOCAL);
  }

  /** Whether it may be called without being listed: https on port 443 or 8443. */
  boolean isOrdinary() {
    return isHttps && (port == 443 || port == 8443);
  }

  /** The message does not repeat the text, which may contain a password or a token. */
  private static URI uri(String text) throws ForbiddenTargetException {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new ForbiddenTargetException("The URL is not valid: expected `https://host/path`.");
    }
  }

  private static int port(String text, boolean isHttps) throws ForbiddenTargetException {
    int port = text == null ? (isHttps ? 443 : 80) : Integer.parseInt(text);
    if (port < 1 || port > 65535) {
      throw new ForbiddenTargetException("The URL's port must be 1 to 65535.");
    }
    return port;
  }

  private static String path(URI uri) {
    var path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    return ascii(uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
  }

  /** By hand, since {@link URI#toASCIIString()} normalizes first, which can change the URL. */
  private static String ascii(String text) {
    return text.codePoints()
        .mapToObj(Character::toString)
        .map(c -> c.charAt(0) < 0x80 ? c : PERCENT.formatHex(c.getBytes(StandardCharsets.UTF_8)))
        .collect(Collectors.joining());
  }

  private static TargetUrl withHost(boolean isHttps, String host, int port, String path)
      throws ForbiddenTargetException {
    try {
      if (host.startsWith("[")) {
        var address = AddressRange.address(host.substring(1, host.length() - 1));
        return new TargetUrl(
            isHttps, host.toLowerCase(Locale.ROOT), Optional.of(address), port, path);
      }
      var name = HostName.normalize(host);
      var literal =
          HostName.isNumeric(name)
              ? Optional.of(AddressRange.address(name))
              : Optional.<InetAddress>empty();
      return new TargetUrl(isHttps, name, literal, port, path);
    } catch (IllegalArgumentException e) {
      throw new ForbiddenTargetException(
          "The URL's host must be a name, four decimal numbers, or an IPv6 address without a"
              + " zone.");
    }
  }
}

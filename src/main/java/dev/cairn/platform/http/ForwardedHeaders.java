package dev.cairn.platform.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Drops invalid values of {@code X-Forwarded-*}, which anybody can send and the framework handles
 * badly: it never answers a request whose forwarded address has no host, and writes a line to the
 * log for each invalid port and for each header that only it may set. See {@code
 * docs/operation.md}, Behind a proxy.
 */
final class ForwardedHeaders {
  private static final String FOR = "X-Forwarded-For";
  private static final String HOST = "X-Forwarded-Host";
  private static final String PORT = "X-Forwarded-Port";

  /** Set by the framework for the application; no client may send it. */
  private static final String TRUSTED_PROXY = "X-Forwarded-Trusted-Proxy";

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
  private static final int MAX_PORT = 65_535;

  private ForwardedHeaders() {}

  static void clean(HttpHeaders headers) {
    headers.remove(TRUSTED_PROXY);
    change(headers, FOR, ForwardedHeaders::fromFirstAddress);
    change(headers, HOST, list -> isAddress(first(list)) ? list : "");
    change(headers, PORT, list -> isPort(first(list)) ? list : "");
  }

  private static void change(HttpHeaders headers, String name, UnaryOperator<String> change) {
    var lines = headers.getAll(name);
    if (lines.isEmpty()) {
      return;
    }
    var kept = lines.stream().map(change).filter(line -> !line.isEmpty()).toList();
    if (!kept.equals(lines)) {
      headers.set(name, kept);
    }
  }

  /** The list from its first valid address on; in one pass, because clients choose its length. */
  private static String fromFirstAddress(String list) {
    int start = 0;
    while (start < list.length()) {
      int comma = list.indexOf(',', start);
      int end = comma < 0 ? list.length() : comma;
      if (isAddress(list.substring(start, end).stripLeading())) {
        return start == 0 ? list : list.substring(start).strip();
      }
      start = end + 1;
    }
    return "";
  }

  private static String first(String list) {
    int comma = list.indexOf(',');
    return comma < 0 ? list : list.substring(0, comma);
  }

  /** Whether an element has a host, and a valid port if it has one. */
  private static boolean isAddress(String element) {
    int colon = element.lastIndexOf(':');
    if (colon < 0) {
      return !element.isBlank();
    }
    if (colon < element.lastIndexOf(']')
        || (colon != element.indexOf(':') && !isBracketed(element))) {
      return true; // an IPv6 address without a port
    }
    return colon > 0 && (colon == element.length() - 1 || isPort(element.substring(colon + 1)));
  }

  private static boolean isBracketed(String element) {
    return element.indexOf(']') >= 0;
  }

  private static boolean isPort(String text) {
    return NUMBER.matcher(text).matches() && Integer.parseInt(text) <= MAX_PORT;
  }
}

package dev.cairn.live;

import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An extension that a client offers in {@code Sec-WebSocket-Extensions} (RFC 6455, 9.1).
 *
 * @param name in lower case
 * @param parameters in their order
 */
record ExtensionOffer(String name, List<Parameter> parameters) {
  private static final String SYMBOLS = "!#$%&'*+-.^_`|~";

  /**
   * A parameter.
   *
   * @param name in lower case
   * @param value without the quotes in which it may have stood
   */
  record Parameter(String name, Optional<String> value) {}

  /**
   * The offers in the values of the header, the preferred ones first.
   *
   * @throws Problem {@code VALIDATION_ERROR} if they break the grammar
   */
  static List<ExtensionOffer> all(List<String> values) {
    return values.stream().flatMap(value -> new Reader(value).offers().stream()).toList();
  }

  /** Reads one value of the header. */
  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
      skipBlanks();
    }

    List<ExtensionOffer> offers() {
      var offers = new ArrayList<ExtensionOffer>();
      do {
        if (at < text.length() && text.charAt(at) != ',') { // elements may be empty
          offers.add(offer());
        }
      } while (skips(','));
      if (at < text.length()) {
        throw malformed();
      }
      return offers;
    }

    private ExtensionOffer offer() {
      var name = token();
      var parameters = new ArrayList<Parameter>();
      while (skips(';')) {
        var parameter = token();
        parameters.add(
            new Parameter(parameter, skips('=') ? Optional.of(value()) : Optional.empty()));
      }
      return new ExtensionOffer(name, parameters);
    }

    private String value() {
      boolean isQuoted = at < text.length() && text.charAt(at) == '"';
      if (!isQuoted) {
        return token();
      }
      at++;
      var value = characters();
      if (!skips('"')) {
        throw malformed();
      }
      return value;
    }

    private String token() {
      var token = characters();
      skipBlanks();
      return token;
    }

    private String characters() {
      int begin = at;
      while (at < text.length() && isOfToken(text.charAt(at))) {
        at++;
      }
      if (at == begin) {
        throw malformed();
      }
      return text.substring(begin, at).toLowerCase(Locale.ROOT);
    }

    private static boolean isOfToken(char c) {
      return (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || SYMBOLS.indexOf(c) >= 0;
    }

    private boolean skips(char c) {
      boolean isNext = at < text.length() && text.charAt(at) == c;
      if (isNext) {
        at++;
        skipBlanks();
      }
      return isNext;
    }

    private void skipBlanks() {
      while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
        at++;
      }
    }

    private static Problem malformed() {
      return Problem.invalid(
          "", "`Sec-WebSocket-Extensions` must be a list of extensions (RFC 6455, section 9.1).");
    }
  }
}

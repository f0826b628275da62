package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.ParseException;

/**
 * A request that OAuth refuses, in OAuth's own words. It becomes JSON, a redirect or a page, by the
 * door that it came through.
 */
final class OAuthError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ErrorObject error;

  OAuthError(ErrorObject error) {
    super(error.getCode(), null, false, false);
    this.error = error;
  }

  /** An error with a sentence of ours: printable ASCII without quotes, as RFC 6749 wants it. */
  static OAuthError of(ErrorObject error, String description) {
    return new OAuthError(error.setDescription(description));
  }

  static OAuthError invalidRequest(String description) {
    return of(OAuth2Error.INVALID_REQUEST, description);
  }

  /** What the library found wrong with a message. */
  static OAuthError of(ParseException e) {
    return new OAuthError(
        e.getErrorObject() == null ? OAuth2Error.INVALID_REQUEST : e.getErrorObject());
  }

  /** Reads a message by the library. */
  @FunctionalInterface
  interface Parser<T> {
    /** What the message says. */
    T parse() throws ParseException;
  }

  /** What the library makes of a message, or what it found wrong with it. */
  static <T> T parse(Parser<T> message) {
    try {
      return message.parse();
    } catch (ParseException e) {
      throw of(e);
    } catch (IllegalArgumentException e) {
      // It quotes what it refuses in the error's text, which takes printable ASCII alone.
      throw invalidRequest("A parameter holds a character that it must not.");
    }
  }

  ErrorObject error() {
    return error;
  }
}

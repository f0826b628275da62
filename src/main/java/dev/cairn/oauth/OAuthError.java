package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.ParseException;

/**
 * A refusal with an error code of OAuth. It becomes JSON, a redirect or a page, depending on the
 * endpoint.
 */
final class OAuthError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ErrorObject error;

  OAuthError(ErrorObject error) {
    super(error.getCode(), null, false, false);
    this.error = error;
  }

  /** An error with our description: printable ASCII without quotes, as RFC 6749 requires. */
  static OAuthError of(ErrorObject error, String description) {
    return new OAuthError(error.setDescription(description));
  }

  static OAuthError invalidRequest(String description) {
    return of(OAuth2Error.INVALID_REQUEST, description);
  }

  /** The error that the library found in a message. */
  static OAuthError of(ParseException e) {
    return new OAuthError(
        e.getErrorObject() == null ? OAuth2Error.INVALID_REQUEST : e.getErrorObject());
  }

  /** Parses a message with the library. */
  @FunctionalInterface
  interface Parser<T> {
    /** The parsed message. */
    T parse() throws ParseException;
  }

  /** Parses a message with the library; throws the error that it found. */
  static <T> T parse(Parser<T> message) {
    try {
      return message.parse();
    } catch (ParseException e) {
      throw of(e);
    } catch (IllegalArgumentException e) {
      // It quotes the refused text in the error, which must be printable ASCII.
      throw invalidRequest("A parameter contains a character that is not allowed.");
    }
  }

  ErrorObject error() {
    return error;
  }
}

package dev.cairn.access;

import dev.cairn.model.Problem;
import io.vertx.ext.web.RoutingContext;

/** Verifies the token of a request once more, after the request was authenticated by it. */
public interface TokenVerification {
  /**
   * Verifies the token and its session.
   *
   * @throws Problem {@code UNAUTHENTICATED} if it was revoked or has expired since
   */
  void verifyAgain(RoutingContext context);

  /**
   * Whether the token was neither revoked nor expired, and its session not ended, until now; also
   * true for a request without a token.
   */
  boolean isStillValid(RoutingContext context);
}

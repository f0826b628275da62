package dev.cairn.access;

import dev.cairn.model.Problem;
import io.vertx.ext.web.RoutingContext;

/** Verifies the token of a request once more, after the request was authenticated by it. */
public interface TokenVerification {
  /**
   * The attribute of a request whose token was not yet checked in the database. It is removed when
   * a statement has found the token valid; otherwise the token is verified before the answer.
   */
  String UNCONFIRMED = "cairn.token.unconfirmed";

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

  /** The answer to a request whose token is no longer valid. */
  Problem refusal(RoutingContext context);
}

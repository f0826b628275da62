package dev.cairn.access;

import dev.cairn.model.Problem;
import io.vertx.ext.web.RoutingContext;

/** Verifies the token of a request once more, after the request was authenticated by it. */
public interface TokenVerification {
  /**
   * What a request has whose token was taken on trust, until a statement has found it valid. An
   * answer that would be given before that is given only if the token is verified then.
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

  /** What a request is answered whose token is no longer valid. */
  Problem refusal(RoutingContext context);
}

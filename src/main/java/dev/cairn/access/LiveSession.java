package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;

/** The rule that the session of a caller's token must be live: {@code docs/access.md}, Sessions. */
public final class LiveSession {
  /**
   * The SQL condition that the session of a caller is live; true for a caller without one. Its two
   * parameters are both {@link Caller#sessionIdOrNull}.
   */
  public static final String CONDITION = condition("?");

  private LiveSession() {}

  /**
   * The same of a session that a query knows.
   *
   * @param session the SQL expression of its id, which is null for a caller without one
   */
  static String condition(String session) {
    return """
    coalesce((select s.expires_at > clock_timestamp() from session s where s.id = %1$s::uuid),
             %1$s::uuid is null)
    """
        .formatted(session);
  }

  /** The answer to a token whose session has ended. */
  public static Problem ended() {
    return Problem.of(
            ErrorCode.UNAUTHENTICATED, "The token is not valid: its session has ended or expired.")
        .hint("Sign in again, or leave the header out to read what is public.");
  }
}

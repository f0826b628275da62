package dev.cairn.action;

/** The codes of failed attempts, except those of sprites; {@code docs/actions.md}, Codes. */
public final class Codes {
  /** The worker that carried out the run died, and its lease has expired. */
  static final String WORKER_LOST = "WORKER_LOST";

  /** The worker that carried out the run was stopped, and gave it back. */
  static final String WORKER_STOPPED = "WORKER_STOPPED";

  /** An internal error of the service. */
  static final String INTERNAL_ERROR = "INTERNAL_ERROR";

  /** No callback arrived in time after the receiver accepted the run. */
  static final String CALLBACK_TIMEOUT = "CALLBACK_TIMEOUT";

  /** A callback reported a failure without a code of its own. */
  static final String CALLBACK_FAILED = "CALLBACK_FAILED";

  /** A callback requested another attempt, without a code of its own. */
  static final String CALLBACK_RETRY = "CALLBACK_RETRY";

  /** The subscription was deleted. */
  public static final String SUBSCRIPTION_DELETED = "SUBSCRIPTION_DELETED";

  /** The committed data no longer exists, so it cannot be sent. */
  static final String WEBHOOK_INPUT_NOT_FOUND = "WEBHOOK_INPUT_NOT_FOUND";

  /** The receiver could not be reached. */
  public static final String WEBHOOK_NETWORK_ERROR = "WEBHOOK_NETWORK_ERROR";

  /** The egress policy forbids the target. */
  public static final String WEBHOOK_TARGET_FORBIDDEN = "WEBHOOK_TARGET_FORBIDDEN";

  /** The bound set of credentials cannot be used. */
  public static final String CREDENTIALS_UNAVAILABLE = "CREDENTIALS_UNAVAILABLE";

  /** The notification URL was removed, or may no longer be called for the account that set it. */
  public static final String NOTIFICATIONS_OFF = "NOTIFICATIONS_OFF";

  private Codes() {}
}

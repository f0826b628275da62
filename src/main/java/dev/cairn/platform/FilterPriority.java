package dev.cairn.platform;

/**
 * The priorities of the filters that see a request before any route: the highest one comes first.
 */
final class FilterPriority {
  /** Counts requests under way, and refuses them at the end: before anything works on one. */
  static final int GRACEFUL_SHUTDOWN = 1_200;

  /** Watches what arrives on the connection. */
  static final int CONNECTIONS = 1_110;

  /** Watches whether the client takes its answer; may hold the request. */
  static final int SLOW_READERS = 1_100;

  /** Begins the request's span. */
  static final int SPANS = 1_050;

  /** Refuses requests that are ambiguous or too large. */
  static final int LIMITS = 1_000;

  /** Warns of forwarded addresses from peers that are not trusted; before authentication. */
  static final int CLIENT_ADDRESS = 900;

  /** Refuses requests to a replica without the role {@code api}. */
  static final int ROLES = 900;

  private FilterPriority() {}
}

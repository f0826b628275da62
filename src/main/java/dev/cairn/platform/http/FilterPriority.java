package dev.cairn.platform.http;

/**
 * The priorities of the filters that see a request before any route: the highest one comes first.
 */
public final class FilterPriority {
  /** Counts requests under way, and refuses them at the end: before anything works on one. */
  public static final int GRACEFUL_SHUTDOWN = 1_200;

  /** Watches what arrives on the connection. */
  public static final int CONNECTIONS = 1_110;

  /** Watches whether the client takes its answer; may hold the request. */
  public static final int SLOW_READERS = 1_100;

  /** Begins the request's span. */
  public static final int SPANS = 1_050;

  /** Refuses requests that are ambiguous or too large. */
  static final int LIMITS = 1_000;

  /** Warns of forwarded addresses from peers that are not trusted; before authentication. */
  static final int CLIENT_ADDRESS = 900;

  /** Refuses requests to a replica without the role {@code api}. */
  public static final int ROLES = 900;

  private FilterPriority() {}
}

package dev.cairn.platform.http;

/**
 * The priorities of the filters that see a request before any route: the highest one comes first.
 */
public final class FilterPriority {
  /** Counts requests, and refuses them during shutdown, before anything works on them. */
  public static final int GRACEFUL_SHUTDOWN = 1_200;

  /** Counts what arrives on the connection. */
  public static final int CONNECTIONS = 1_110;

  /** Tracks whether the client reads its answer; may delay the request. */
  public static final int SLOW_READERS = 1_100;

  /** Begins the request's span. */
  public static final int SPANS = 1_050;

  /** Answers preflights, and lets pages of other sites read all answers, refusals too. */
  static final int CROSS_ORIGIN = 1_010;

  /** Says of answers whether they are compressed, refusals too. */
  static final int COMPRESSION = 1_005;

  /** Refuses requests that are ambiguous or too large. */
  static final int LIMITS = 1_000;

  /** Warns of forwarded addresses from peers that are not trusted; before authentication. */
  static final int CLIENT_ADDRESS = 900;

  /** Refuses requests to a replica without the role {@code api}. */
  public static final int ROLES = 900;

  private FilterPriority() {}
}

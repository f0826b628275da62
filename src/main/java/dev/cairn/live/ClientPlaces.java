package dev.cairn.live;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.NetworkAddress;
import java.util.Optional;

/**
 * The places for clients that follow repositories, of all accounts or of all network addresses. If
 * none is free, a new client gets that of the newest client of the caller that has the most, unless
 * its own caller has about as many. Network addresses are compared by the networks that enclose
 * them, the widest first, so that whoever has many addresses of one network has no more than
 * others. See {@code docs/live.md}, Limits.
 */
final class ClientPlaces {
  private static final int RETRY_SECONDS = 10;

  private final int max;
  private final int maxOfCaller;
  private final Callers callers;
  private final CallerGroup all = new CallerGroup();

  /**
   * Whose places they are, as it is said in problems.
   *
   * @param one such as {@code an account}
   * @param many such as {@code accounts}
   */
  record Callers(String one, String many) {}

  /**
   * @param max for all callers, at least 1
   * @param maxOfCaller for each of them, at least 1
   */
  ClientPlaces(int max, int maxOfCaller, Callers callers) {
    this.max = max;
    this.maxOfCaller = maxOfCaller;
    this.callers = callers;
  }

  /**
   * Takes a place for a client, to be left by {@link #leave}.
   *
   * @return the client whose place it got and that is to end; empty if a place was free
   * @throws Problem {@code RATE_LIMITED} if its caller has all of its places, {@code UNAVAILABLE}
   *     if none is free for it
   */
  synchronized Optional<Watch> take(Watch client) {
    var names = NetworkAddress.enclosing(client.caller());
    if (all.size(names) >= maxOfCaller) {
      throw Problem.of(
              ErrorCode.RATE_LIMITED,
              "At most %d clients of %s may follow repositories at a time on one replica."
                  .formatted(maxOfCaller, callers.one))
          .with("retryAfter", RETRY_SECONDS);
    }
    Optional<Watch> replaced =
        all.size() < max
            ? Optional.empty()
            : Optional.of(all.replaced(names, 1).orElseThrow(this::crowded));
    replaced.ifPresent(this::leave);
    all.add(client, names, 1);
    return replaced;
  }

  private Problem crowded() {
    return Problem.of(
            ErrorCode.UNAVAILABLE,
            "Too many clients of %s follow repositories on this replica.".formatted(callers.many))
        .with("retryAfter", RETRY_SECONDS);
  }

  /** Leaves the place of a client, if it still has one. */
  synchronized void leave(Watch client) {
    var _ = all.remove(client, NetworkAddress.enclosing(client.caller()));
  }
}

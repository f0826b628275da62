package dev.cairn.live;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.NetworkAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds the bytes that clients keep in memory as long as they follow repositories, of all accounts
 * or of all network addresses: queries, and patterns of filters and tokens. One caller has at most
 * a quarter of the room. If it is full, the newest clients of the callers that keep the most end,
 * as in {@link ClientPlaces}. Their bytes count until they have ended, so whoever needs them is
 * refused until then. See {@code docs/live.md}, Limits.
 */
final class ClientRoom {
  /** The part of the room that one caller may have, as its denominator. */
  static final int CALLER_FRACTION = 4;

  private static final int RETRY_SECONDS = 10;

  /** The time in which clients end that gave way. */
  private static final int RETRY_SECONDS_OF_FREED = 1;

  private final long size;
  private final ClientPlaces.Callers callers;
  private final CallerGroup all = new CallerGroup();

  /** What those keep that were told to end, and have not ended yet. */
  private final Map<Watch, Long> ending = new HashMap<>();

  /**
   * An empty room.
   *
   * @param size in bytes
   */
  ClientRoom(long size, ClientPlaces.Callers callers) {
    this.size = size;
    this.callers = callers;
  }

  /**
   * Counts bytes that a client keeps, until {@link #drop} or {@link #leave}.
   *
   * @throws Problem {@code RATE_LIMITED} if its caller would have more than its part, {@code
   *     UNAVAILABLE} if there is no room for it, or not yet; nothing is counted then
   */
  void keep(Watch client, long bytes) {
    if (bytes <= 0) {
      return;
    }
    var crowded = new ArrayList<Watch>();
    try {
      keep(client, bytes, crowded);
    } finally {
      crowded.forEach(other -> other.end(Ending.CROWDED));
    }
  }

  /**
   * Requires that the caller of a client would have no more than its part with more bytes; counts
   * none.
   *
   * @throws Problem {@code RATE_LIMITED} otherwise
   */
  synchronized void requirePart(Watch client, long bytes) {
    if (all.size(NetworkAddress.enclosing(client.caller())) + bytes > size / CALLER_FRACTION) {
      throw tooMuch();
    }
  }

  private synchronized void keep(Watch client, long bytes, List<Watch> crowded) {
    var names = NetworkAddress.enclosing(client.caller());
    requirePart(client, bytes);
    if (ending.containsKey(client)) {
      throw full(RETRY_SECONDS);
    }
    while (all.size() + bytes > size) {
      var newest = all.replaced(names, bytes).orElseThrow(() -> full(RETRY_SECONDS));
      ending.put(newest, all.remove(newest, NetworkAddress.enclosing(newest.caller())));
      crowded.add(newest);
    }
    if (used() + bytes > size) {
      throw full(RETRY_SECONDS_OF_FREED);
    }
    all.add(client, names, bytes);
  }

  /** Counts bytes no longer that a client has dropped. */
  synchronized void drop(Watch client, long bytes) {
    if (ending.computeIfPresent(client, (_, kept) -> kept - bytes) == null) {
      all.add(client, NetworkAddress.enclosing(client.caller()), -bytes);
    }
  }

  /** Counts nothing of a client any longer, which has ended. */
  synchronized void leave(Watch client) {
    if (ending.remove(client) == null) {
      var _ = all.remove(client, NetworkAddress.enclosing(client.caller()));
    }
  }

  /** How many bytes are kept. */
  synchronized long used() {
    return all.size() + ending.values().stream().mapToLong(Long::longValue).sum();
  }

  private Problem tooMuch() {
    return Problem.of(
            ErrorCode.RATE_LIMITED,
            "The queries and patterns of the clients of %s that follow repositories may take at most %,d bytes of memory at a time on one replica."
                .formatted(callers.one(), size / CALLER_FRACTION))
        .with("retryAfter", RETRY_SECONDS);
  }

  private Problem full(int retrySeconds) {
    return Problem.of(
            ErrorCode.UNAVAILABLE,
            "The queries and patterns of clients of %s that follow repositories take all of their memory on this replica."
                .formatted(callers.many()))
        .with("retryAfter", retrySeconds);
  }
}

package dev.cairn.live;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.NetworkAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

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
  private final Group all = new Group();

  /**
   * Whose places they are, as it is said in problems.
   *
   * @param one such as {@code an account}
   * @param many such as {@code accounts}
   */
  record Callers(String one, String many) {}

  /** A network with its parts, or a caller with its clients, the newest last. */
  private static final class Group {
    private static final Comparator<Group> BY_SIZE = Comparator.comparingInt(group -> group.size);

    private final Map<String, Group> parts = new HashMap<>();
    private final SequencedSet<Watch> clients = new LinkedHashSet<>();

    /** How many clients there are in all. */
    private int size;

    void add(Watch client, List<String> names) {
      size++;
      if (names.isEmpty()) {
        clients.add(client);
      } else {
        parts.computeIfAbsent(names.getFirst(), _ -> new Group()).add(client, rest(names));
      }
    }

    /** False if it is not there. */
    boolean remove(Watch client, List<String> names) {
      boolean isRemoved = names.isEmpty() ? clients.remove(client) : removeFromPart(client, names);
      size -= isRemoved ? 1 : 0;
      return isRemoved;
    }

    private boolean removeFromPart(Watch client, List<String> names) {
      var part = parts.get(names.getFirst());
      boolean isRemoved = part != null && part.remove(client, rest(names));
      if (isRemoved && part.size == 0) {
        parts.remove(names.getFirst());
      }
      return isRemoved;
    }

    /** How many clients the group with this path has. */
    int size(List<String> names) {
      if (names.isEmpty()) {
        return size;
      }
      var part = parts.get(names.getFirst());
      return part == null ? 0 : part.size(rest(names));
    }

    /**
     * Whose place a new client of a caller gets. Nobody's if its groups have as many as any other
     * with it, and its caller as many as any other of its network.
     */
    Optional<Watch> replaced(List<String> names) {
      if (names.isEmpty()) {
        return Optional.empty();
      }
      var own = parts.get(names.getFirst());
      var largest = largestPart();
      if (largest.size > (own == null ? 0 : own.size) + 1) {
        return Optional.of(largest.newest());
      }
      return own == null ? Optional.empty() : own.replaced(rest(names));
    }

    private Group largestPart() {
      return parts.values().stream().max(BY_SIZE).orElseThrow();
    }

    private Watch newest() {
      return parts.isEmpty() ? clients.getLast() : largestPart().newest();
    }

    private static List<String> rest(List<String> names) {
      return names.subList(1, names.size());
    }
  }

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
        all.size < max
            ? Optional.empty()
            : Optional.of(all.replaced(names).orElseThrow(this::crowded));
    replaced.ifPresent(this::leave);
    all.add(client, names);
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
    all.remove(client, NetworkAddress.enclosing(client.caller()));
  }
}

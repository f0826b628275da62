package dev.cairn.live;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * What clients that follow repositories have of something that is shared: a network with its parts,
 * or a caller with its clients, the newest last. Groups are named by paths, the widest network
 * first; that of an account is its id alone. Not thread-safe.
 */
final class CallerGroup {
  private static final Comparator<CallerGroup> BY_SIZE =
      Comparator.comparingLong(group -> group.size);

  private final Map<String, CallerGroup> parts = new HashMap<>();
  private final SequencedMap<Watch, Long> clients = new LinkedHashMap<>();
  private long size;

  /** Adds to what a client has. */
  void add(Watch client, List<String> names, long more) {
    size += more;
    if (names.isEmpty()) {
      clients.merge(client, more, Long::sum);
      clients.remove(client, 0L); // its end would free nothing
    } else {
      parts
          .computeIfAbsent(names.getFirst(), _ -> new CallerGroup())
          .add(client, rest(names), more);
    }
  }

  /** Removes a client, and returns what it had; 0 if it is not there. */
  long remove(Watch client, List<String> names) {
    long had = names.isEmpty() ? removeClient(client) : removeFromPart(client, names);
    size -= had;
    return had;
  }

  private long removeClient(Watch client) {
    var had = clients.remove(client);
    return had == null ? 0 : had;
  }

  private long removeFromPart(Watch client, List<String> names) {
    var part = parts.get(names.getFirst());
    long had = part == null ? 0 : part.remove(client, rest(names));
    if (part != null && part.parts.isEmpty() && part.clients.isEmpty()) {
      parts.remove(names.getFirst());
    }
    return had;
  }

  /** What all have. */
  long size() {
    return size;
  }

  /** What the group with this path has. */
  long size(List<String> names) {
    if (names.isEmpty()) {
      return size;
    }
    var part = parts.get(names.getFirst());
    return part == null ? 0 : part.size(rest(names));
  }

  /**
   * The client that is to end so that a caller may have more: the newest of those that have the
   * most. Nobody if the groups of the caller would have as much as any other with it, and the
   * caller as much as any other of its network.
   */
  Optional<Watch> replaced(List<String> names, long more) {
    if (names.isEmpty() || parts.isEmpty()) {
      return Optional.empty();
    }
    var own = parts.get(names.getFirst());
    var largest = largestPart();
    if (largest.size > (own == null ? 0 : own.size) + more) {
      return Optional.of(largest.newest());
    }
    return own == null ? Optional.empty() : own.replaced(rest(names), more);
  }

  private CallerGroup largestPart() {
    return parts.values().stream().max(BY_SIZE).orElseThrow();
  }

  private Watch newest() {
    return parts.isEmpty() ? clients.lastEntry().getKey() : largestPart().newest();
  }

  private static List<String> rest(List<String> names) {
    return names.subList(1, names.size());
  }
}

package dev.cairn.action;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Takes due runs from their queues, as many as there are places for their attempts. */
final class Claims {
  /** Runs that are claimed by one statement. */
  static final int AT_ONCE = 64;

  private static final int QUEUES_AT_ONCE = 512;

  private final RunQueue queue;
  private final Slots slots;

  Claims(RunQueue queue, Slots slots) {
    this.queue = queue;
    this.slots = slots;
  }

  /**
   * Takes some runs.
   *
   * @param repos only of these repositories; empty for all
   * @param lease that identifies the worker
   * @return at most {@value #AT_ONCE}; as many if there may be more
   */
  List<InFlight> some(Optional<Set<UUID>> repos, UUID lease) {
    var grants = slots.grant(queue.ready(repos, slots.full(), QUEUES_AT_ONCE), AT_ONCE);
    return grants.isEmpty() ? List.of() : some(grants, lease);
  }

  private List<InFlight> some(List<Slots.Grant> grants, UUID lease) {
    var places = places(grants);
    try {
      var taken = new ArrayList<InFlight>();
      for (var run : queue.claim(grants, lease)) {
        taken.add(new InFlight(run, places.get(run.target()).remove()));
      }
      return taken;
    } finally {
      // The places of runs that another worker has claimed meanwhile.
      places.values().stream().flatMap(Collection::stream).forEach(slots::release);
    }
  }

  private static Map<Slots.Target, Deque<Slots.Place>> places(List<Slots.Grant> grants) {
    var places = new HashMap<Slots.Target, Deque<Slots.Place>>();
    for (var grant : grants) {
      places
          .computeIfAbsent(grant.queue().target(), _ -> new ArrayDeque<>())
          .addAll(grant.places());
    }
    return places;
  }
}

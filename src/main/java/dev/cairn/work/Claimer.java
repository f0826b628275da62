package dev.cairn.work;

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

/** Claims work that is due, as much as there are slots for. */
final class Claimer<T extends WorkItem, R> {
  /** One statement claims at most this many items. */
  static final int MAX_BATCH = 64;

  private static final int MAX_QUEUES = 512;

  private final WorkKind<T, R> kind;
  private final Slots slots;

  Claimer(WorkKind<T, R> kind, Slots slots) {
    this.kind = kind;
    this.slots = slots;
  }

  /**
   * Claims a batch of items.
   *
   * @param repos where there is new work; empty for anywhere
   * @param lease that identifies the worker
   * @return at most {@value #MAX_BATCH}; if that many, there may be more
   */
  List<ActiveAttempt<T, R>> claimBatch(Optional<Set<UUID>> repos, UUID lease) {
    var grants = slots.grant(kind.ready(repos, slots.full(), MAX_QUEUES), MAX_BATCH);
    return grants.isEmpty() ? List.of() : claim(grants, lease);
  }

  private List<ActiveAttempt<T, R>> claim(List<Slots.Grant> grants, UUID lease) {
    var granted = byTarget(grants);
    try {
      var claimed = new ArrayList<ActiveAttempt<T, R>>();
      for (var item : kind.claim(grants, lease)) {
        claimed.add(new ActiveAttempt<>(item, take(granted, item.target())));
      }
      return claimed;
    } finally {
      // The slots of items that another worker has claimed in the meantime.
      granted.values().stream().flatMap(Collection::stream).forEach(slots::release);
    }
  }

  /**
   * What a target counts for may have changed since the grant; then it takes another one's slot.
   */
  private static Slots.Slot take(Map<WorkTarget, Deque<Slots.Slot>> granted, WorkTarget target) {
    var own = granted.getOrDefault(target, new ArrayDeque<>());
    var from =
        own.isEmpty()
            ? granted.values().stream().filter(slots -> !slots.isEmpty()).findAny().orElseThrow()
            : own;
    return from.remove();
  }

  private static Map<WorkTarget, Deque<Slots.Slot>> byTarget(List<Slots.Grant> grants) {
    var byTarget = new HashMap<WorkTarget, Deque<Slots.Slot>>();
    for (var grant : grants) {
      byTarget
          .computeIfAbsent(grant.queue().target(), _ -> new ArrayDeque<>())
          .addAll(grant.slots());
    }
    return byTarget;
  }
}

package dev.cairn.search;

import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The repositories for whose indexes searches of this replica wait. */
@Singleton
class AwaitedIndexes {
  private final Map<UUID, Integer> waiting = new HashMap<>();

  synchronized void add(UUID repoId) {
    waiting.merge(repoId, 1, Integer::sum);
  }

  synchronized void remove(UUID repoId) {
    waiting.computeIfPresent(repoId, (_, count) -> count == 1 ? null : count - 1);
  }

  synchronized Set<UUID> repositories() {
    return Set.copyOf(waiting.keySet());
  }
}

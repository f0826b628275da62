package dev.cairn.search;

import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The repositories for whose indexes searches of this replica wait, and whose turn it is: whoever
 * used the least time recently does not wait for the many commits of others.
 */
@Singleton
class AwaitedIndexes {
  /** How long used time counts, on average. */
  private static final double MEMORY_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Less used time is forgotten. */
  private static final double NEGLIGIBLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier clock;

  /** How many searches wait, by repository. */
  private final Map<UUID, Integer> waiting = new HashMap<>();

  /** By tenant. */
  private final Map<UUID, Use> uses = new HashMap<>();

  /** The tenants with uses, by repository. */
  private final Map<UUID, UUID> tenants = new HashMap<>();

  /**
   * Time that was used up to a moment.
   *
   * @param nanos nanoseconds, of which those long ago count less
   * @param at the moment by the clock
   */
  private record Use(double nanos, long at) {
    double until(long now) {
      return nanos * Math.exp((at - now) / MEMORY_NANOS);
    }
  }

  AwaitedIndexes() {
    this(System::nanoTime);
  }

  AwaitedIndexes(LongSupplier clock) {
    this.clock = clock;
  }

  synchronized void add(UUID repoId) {
    waiting.merge(repoId, 1, Integer::sum);
  }

  synchronized void remove(UUID repoId) {
    waiting.computeIfPresent(repoId, (_, count) -> count == 1 ? null : count - 1);
  }

  /** Counts the time that an attempt took. */
  synchronized void recordUse(IndexAttempt attempt, long nanos) {
    long now = clock.getAsLong();
    uses.values().removeIf(use -> use.until(now) < NEGLIGIBLE_NANOS);
    tenants.values().retainAll(uses.keySet());
    uses.merge(
        attempt.tenantId(),
        new Use(nanos, now),
        (before, _) -> new Use(before.until(now) + nanos, now));
    tenants.put(attempt.repoId(), attempt.tenantId());
  }

  /** All of them, in the order of their turns. */
  synchronized List<UUID> repositories() {
    return inTurn(waiting.keySet());
  }

  /** Repositories in the order of their turns: those first whose tenants used the least time. */
  synchronized List<UUID> inTurn(Collection<UUID> repos) {
    long now = clock.getAsLong();
    return repos.stream()
        .sorted(Comparator.comparingDouble(repoId -> usedUntil(now, repoId)))
        .toList();
  }

  private double usedUntil(long now, UUID repoId) {
    var use = uses.get(tenants.get(repoId));
    return use == null ? 0 : use.until(now);
  }
}

package dev.cairn.search;

import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The repositories for whose indexes searches of this replica wait. */
@Singleton
class AwaitedIndexes {
  /** How long used time counts, on average. */
  private static final double MEMORY_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Less used time is forgotten. */
  private static final double NEGLIGIBLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier nanos;
  private final Map<UUID, Integer> waiting = new HashMap<>();
  private final Map<UUID, Used> used = new HashMap<>();

  /**
   * Time that was used up to a moment, of which past time counts less and less.
   *
   * @param at by {@link #nanos}
   */
  private record Used(double time, long at) {
    double until(long now) {
      return time * Math.exp((at - now) / MEMORY_NANOS);
    }
  }

  AwaitedIndexes() {
    this(System::nanoTime);
  }

  AwaitedIndexes(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void add(UUID repoId) {
    waiting.merge(repoId, 1, Integer::sum);
  }

  synchronized void remove(UUID repoId) {
    waiting.computeIfPresent(repoId, (_, count) -> count == 1 ? null : count - 1);
  }

  /** Counts the time of an attempt to bring an index up to date. */
  synchronized void used(UUID repoId, long time) {
    long now = nanos.getAsLong();
    used.values().removeIf(one -> one.until(now) < NEGLIGIBLE_NANOS);
    used.merge(
        repoId, new Used(time, now), (before, one) -> new Used(before.until(now) + time, now));
  }

  /**
   * All of them, those whose indexes took the least time lately first: they do not wait behind the
   * many commits of others.
   */
  synchronized List<UUID> repositories() {
    long now = nanos.getAsLong();
    return waiting.keySet().stream()
        .sorted(Comparator.comparingDouble(repoId -> usedUntil(now, used.get(repoId))))
        .toList();
  }

  private static double usedUntil(long now, Used used) {
    return used == null ? 0 : used.until(now);
  }
}

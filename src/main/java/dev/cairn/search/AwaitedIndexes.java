package dev.cairn.search;

import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** The repositories for whose indexes searches of this replica wait. */
@Singleton
class AwaitedIndexes {
  /** How long used time counts, on average. */
  private static final double MEMORY_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** An index that took less time lately is not behind by much, as a rule. */
  private static final double LITTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

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

  /** All of them. */
  synchronized Set<UUID> repositories() {
    return Set.copyOf(waiting.keySet());
  }

  /**
   * Those whose indexes took little time lately: they do not wait behind the many commits of
   * others. Empty if there are no others.
   */
  synchronized Optional<Set<UUID>> light() {
    long now = nanos.getAsLong();
    var light =
        waiting.keySet().stream()
            .filter(
                repoId -> !used.containsKey(repoId) || used.get(repoId).until(now) < LITTLE_NANOS)
            .collect(Collectors.toUnmodifiableSet());
    return Optional.of(light).filter(some -> !some.isEmpty() && some.size() < waiting.size());
  }
}

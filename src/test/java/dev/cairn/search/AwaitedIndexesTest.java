package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose index comes first; {@code docs/search.md}, Waiting for the index. */
class AwaitedIndexesTest {
  private final UUID busy = UUID.randomUUID();
  private final UUID calm = UUID.randomUUID();
  private long now = Long.MAX_VALUE - 1_000;
  private final AwaitedIndexes awaited = new AwaitedIndexes(() -> now);

  @BeforeEach
  void wait_for_both() {
    awaited.add(busy);
    awaited.add(calm);
  }

  @Test
  void what_took_much_time_lately_comes_after_the_others() {
    assertEquals(Optional.empty(), awaited.light(), "all of them");
    used(busy, 200);
    used(calm, 200);
    assertEquals(Optional.empty(), awaited.light(), "all of them");
    used(busy, 100);
    assertEquals(Optional.of(Set.of(calm)), awaited.light());
    used(calm, 100);
    assertEquals(Optional.empty(), awaited.light(), "none of them");
    assertEquals(Set.of(busy, calm), awaited.repositories());
  }

  @Test
  void used_time_counts_less_and_less() {
    used(busy, 600);
    pass(10);
    assertEquals(Optional.of(Set.of(calm)), awaited.light());
    pass(4);
    assertEquals(Optional.empty(), awaited.light());
  }

  @Test
  void only_what_is_waited_for_counts() {
    used(busy, 600);
    awaited.add(calm);
    awaited.remove(calm);
    assertEquals(Optional.of(Set.of(calm)), awaited.light());
    awaited.remove(calm);
    assertEquals(Optional.empty(), awaited.light());
  }

  private void used(UUID repoId, long millis) {
    awaited.used(repoId, Duration.ofMillis(millis).toNanos());
  }

  private void pass(long seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
  }
}

package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
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
  void what_took_the_least_time_lately_comes_first() {
    used(busy, 2);
    assertEquals(List.of(calm, busy), awaited.repositories());
    used(calm, 5);
    assertEquals(List.of(busy, calm), awaited.repositories());
    used(busy, 4);
    assertEquals(List.of(calm, busy), awaited.repositories());
  }

  @Test
  void used_time_counts_less_and_less() {
    used(busy, 600);
    pass(15);
    used(calm, 300);
    assertEquals(List.of(busy, calm), awaited.repositories());
    pass(120);
    used(busy, 2);
    assertEquals(List.of(calm, busy), awaited.repositories());
  }

  @Test
  void only_what_is_waited_for_is_named() {
    used(busy, 600);
    awaited.add(calm);
    awaited.remove(calm);
    assertEquals(List.of(calm, busy), awaited.repositories());
    awaited.remove(calm);
    assertEquals(List.of(busy), awaited.repositories());
  }

  private void used(UUID repoId, long millis) {
    awaited.used(repoId, Duration.ofMillis(millis).toNanos());
  }

  private void pass(long seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
  }
}

package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose index comes first; {@code docs/search.md}, Waiting for the index. */
class AwaitedIndexesTest {
  private final UUID busy = UUID.randomUUID();
  private final UUID calm = UUID.randomUUID();

  /** Another one of the busy tenant. */
  private final UUID other = UUID.randomUUID();

  private final Map<UUID, UUID> tenants = tenants();
  private long now = Long.MAX_VALUE - 1_000;
  private final AwaitedIndexes awaited = new AwaitedIndexes(() -> now);

  private Map<UUID, UUID> tenants() {
    var tenant = UUID.randomUUID();
    return Map.of(busy, tenant, other, tenant, calm, UUID.randomUUID());
  }

  @BeforeEach
  void wait_for_both() {
    awaited.add(busy);
    awaited.add(calm);
  }

  @Test
  void the_repository_that_recently_took_the_least_time_comes_first() {
    used(busy, 2);
    assertEquals(List.of(calm, busy), awaited.repositories());
    used(calm, 5);
    assertEquals(List.of(busy, calm), awaited.repositories());
    used(busy, 4);
    assertEquals(List.of(calm, busy), awaited.repositories());
  }

  @Test
  void the_time_of_all_repositories_of_a_tenant_counts() {
    used(busy, 100);
    used(calm, 50);
    used(other, 2);
    awaited.add(other);
    assertEquals(calm, awaited.repositories().getFirst());
    assertEquals(List.of(calm, other), awaited.inTurn(List.of(other, calm)));
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
    awaited.recordUse(
        new IndexAttempt(repoId, tenants.get(repoId), IndexPart.WORDS, 1, 0),
        Duration.ofMillis(millis).toNanos());
  }

  private void pass(long seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
  }
}

package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Actions, Workers: what holds for every kind of leased work. */
class WorkerTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final UUID BUSY = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private final Kind kind = new Kind();
  private final Worker<Item, String> worker = new Worker<>(kind);

  private record Item(UUID repoId, UUID id) implements WorkItem {
    @Override
    public WorkTarget target() {
      return WorkTarget.ofTenant(repoId, "test");
    }

    @Override
    public Map<String, Object> logIds() {
      return Map.of("repoId", repoId);
    }
  }

  /** A kind of work whose table is in memory. */
  private static final class Kind implements WorkKind<Item, String> {
    final Queue<Item> due = new ConcurrentLinkedQueue<>();
    final List<String> recorded = new ArrayList<>();
    final List<Item> givenBack = new ArrayList<>();
    final Set<UUID> busy = ConcurrentHashMap.newKeySet();
    final CountDownLatch released = new CountDownLatch(1);
    Duration grace = LONG;
    boolean isLost;
    final List<Optional<Set<UUID>>> looked = new CopyOnWriteArrayList<>();
    Runnable whileLooking = () -> {};
    int partsLeft;

    /**
     * Of the items that are claimed; null if they keep the repository that they were granted for.
     */
    UUID movedTo;

    @Override
    public String noun() {
      return "test";
    }

    @Override
    public Map<String, SlotLimits> slots() {
      return Map.of("test", SlotLimits.ofJobs(8));
    }

    @Override
    public Duration grace() {
      return grace;
    }

    @Override
    public boolean isClaimedByAll() {
      return true;
    }

    @Override
    public Optional<String> channel() {
      return Optional.empty();
    }

    @Override
    public String dueCondition() {
      return "true";
    }

    @Override
    public List<TargetQueue> ready(Optional<Set<UUID>> repos, Slots.Full full, int max) {
      looked.add(repos);
      whileLooking.run();
      return due.stream().map(Item::target).distinct().map(TargetQueue::of).toList();
    }

    @Override
    public boolean nextPart() {
      return partsLeft-- > 0;
    }

    @Override
    public List<Item> claim(Collection<Slots.Grant> grants, UUID lease) {
      var claimed =
          grants.stream()
              .flatMap(
                  grant ->
                      due.stream()
                          .filter(item -> item.target().equals(grant.queue().target()))
                          .limit(grant.slots().size()))
              .toList();
      due.removeAll(claimed);
      return movedTo == null
          ? claimed
          : claimed.stream().map(item -> new Item(movedTo, item.id())).toList();
    }

    @Override
    public Set<UUID> renew(Collection<Item> items, UUID lease) {
      return isLost ? Set.of() : items.stream().map(Item::id).collect(Collectors.toSet());
    }

    @Override
    public Step<String> begin(Item item) throws InterruptedException {
      released.await();
      return new Step.Ended<>("done");
    }

    @Override
    public String failed(Item item, RuntimeException cause) {
      return "failed";
    }

    @Override
    public Recording end(Item item, String result) {
      return () -> {
        if (busy.contains(item.repoId())) {
          throw new IllegalStateException("busy");
        }
        synchronized (recorded) {
          recorded.add(result);
        }
      };
    }

    @Override
    public void giveBack(Item item) {
      synchronized (givenBack) {
        givenBack.add(item);
      }
    }

    @Override
    public int rescue() {
      return 0;
    }
  }

  private void add(UUID repoId, int count) {
    for (int i = 0; i < count; i++) {
      kind.due.add(new Item(repoId, UUID.randomUUID()));
    }
  }

  private List<ActiveAttempt<Item, String>> begin() {
    return worker.claim(Optional.empty());
  }

  private void awaitThreads(List<ActiveAttempt<Item, String>> attempts)
      throws InterruptedException {
    for (var attempt : attempts) {
      assertTrue(attempt.thread().join(LONG), "its thread does not end");
    }
  }

  @Test
  void one_target_has_at_most_half_of_the_slots_and_its_next_item_begins_when_one_is_released()
      throws Exception {
    add(BUSY, 6);
    var begun = begin();
    assertEquals(4, begun.size());
    assertEquals(List.of(), begin());
    kind.released.countDown();
    awaitThreads(begun);
    awaitThreads(begin());
    assertEquals(6, kind.recorded.size());
    assertEquals(0, worker.activeAttempts());
  }

  @Test
  void an_item_whose_target_changed_since_its_grant_is_carried_out_and_leaves_no_slot_taken()
      throws Exception {
    kind.movedTo = OTHER;
    kind.released.countDown();
    for (int i = 0; i < 20; i++) {
      add(BUSY, 1);
      awaitThreads(begin());
    }
    assertEquals(20, kind.recorded.size());
    assertEquals(0, worker.activeAttempts());
  }

  @Test
  void work_that_it_is_woken_for_while_it_looks_everywhere_waits_for_one_part_only()
      throws Exception {
    kind.partsLeft = 2;
    kind.whileLooking =
        () -> {
          if (kind.looked.size() == 1) {
            worker.wake(OTHER);
          }
        };
    worker.start();
    worker.wakeAll();
    Eventually.await("it has looked four times", () -> kind.looked.size() >= 4);
    worker.stop();
    assertEquals(
        List.of(Optional.empty(), Optional.of(Set.of(OTHER)), Optional.empty(), Optional.empty()),
        kind.looked);
  }

  @Test
  void a_result_that_is_not_taken_keeps_its_slot_and_does_not_hold_back_other_repositories()
      throws Exception {
    kind.busy.addAll(Set.of(BUSY, OTHER));
    kind.released.countDown();
    add(BUSY, 2);
    add(OTHER, 1);
    var begun = begin();
    awaitThreads(begun);
    assertEquals(3, worker.activeAttempts());
    kind.busy.remove(OTHER);
    worker.writeResults();
    assertEquals(List.of("done"), kind.recorded);
    assertEquals(2, worker.awaitOne(begun, Duration.ZERO).size());
    kind.busy.clear();
    worker.writeResults();
    assertEquals(List.of("done", "done", "done"), kind.recorded);
    assertTrue(begun.stream().allMatch(ActiveAttempt::isOver));
  }

  @Test
  void a_worker_that_stops_cancels_what_has_not_ended_within_the_grace_and_gives_it_back()
      throws Exception {
    kind.grace = Duration.ZERO;
    add(OTHER, 1);
    var begun = begin();
    worker.stop();
    assertTrue(begun.getFirst().isOver());
    assertEquals(List.of(begun.getFirst().item()), kind.givenBack);
    assertEquals(List.of(), kind.recorded);
    add(OTHER, 1);
    assertEquals(List.of(), begin(), "it claims nothing more");
  }

  @Test
  void an_item_that_another_worker_has_is_cancelled_and_neither_recorded_nor_given_back()
      throws Exception {
    add(OTHER, 1);
    var attempt = begin().getFirst();
    worker.renew();
    assertFalse(attempt.isOver());
    kind.isLost = true;
    worker.renew();
    awaitThreads(List.of(attempt));
    assertTrue(attempt.isOver());
    assertEquals(List.of(), kind.givenBack);
    assertEquals(List.of(), kind.recorded);
  }
}

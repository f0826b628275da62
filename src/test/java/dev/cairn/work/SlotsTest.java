package dev.cairn.work;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Actions, Workers: who gets how much of what a replica carries out at a time. */
class SlotsTest {
  private static final UUID ONE = new UUID(0, 1);
  private static final UUID TWO = new UUID(0, 2);

  /** Tenants. */
  private static final UUID A = new UUID(2, 1);

  private static final UUID B = new UUID(2, 2);
  private static final UUID C = new UUID(2, 3);

  private final AtomicLong now = new AtomicLong();

  /** A tenant has 48 of 64, a repository 16, a host 8. */
  private final Slots slots =
      new Slots(
          Map.of("webhook", SlotLimits.ofCalls(64), "sprite", SlotLimits.ofCommands(2)), now::get);

  private static TargetQueue queue(UUID repoId, String target) {
    return queue(repoId, target, false);
  }

  private static TargetQueue queue(UUID repoId, String target, boolean isOpen) {
    return queue(target(repoId, target), isOpen);
  }

  private static TargetQueue queue(WorkTarget target, boolean isOpen) {
    return new TargetQueue(target, true, isOpen, false, null);
  }

  /** Of a repository that is the only one of its tenant. */
  private static WorkTarget target(UUID repoId, String name) {
    return new WorkTarget(tenant(repoId), repoId, name, "webhook");
  }

  private static UUID tenant(UUID repoId) {
    return new UUID(3, repoId.getLeastSignificantBits());
  }

  /** The queues of many hosts in each of a tenant's repositories. */
  private static TargetQueue[] queues(UUID tenantId, int repositories, boolean isOpen) {
    return IntStream.range(0, repositories)
        .mapToObj(i -> new UUID(10 + tenantId.getLeastSignificantBits(), i))
        .flatMap(
            repoId ->
                IntStream.range(0, 20)
                    .mapToObj(i -> new WorkTarget(tenantId, repoId, "host" + i, "webhook")))
        .map(target -> queue(target, isOpen))
        .toArray(TargetQueue[]::new);
  }

  private static TargetQueue sprite(UUID repoId, String target) {
    return queue(new WorkTarget(tenant(repoId), repoId, target, "sprite"), false);
  }

  private List<Slots.Slot> grant(TargetQueue... queues) {
    return slots.grant(List.of(queues), 100).stream()
        .flatMap(grant -> grant.slots().stream())
        .toList();
  }

  private void callsTakeLong() {
    now.addAndGet(Slots.SLOW_AFTER.toNanos());
  }

  @Test
  void one_target_has_no_more_slots_of_its_host_than_it_leaves_to_the_others() {
    assertEquals(4, grant(queue(ONE, "a#1")).size());
    assertEquals(0, grant(queue(ONE, "a#1")).size());
    assertTrue(slots.full().targets().contains(target(ONE, "a#1")));
    assertEquals(2, grant(queue(ONE, "a#2")).size());
    assertEquals(1, grant(queue(ONE, "a#3")).size());
  }

  @Test
  void one_host_has_at_most_an_eighth_shared_by_its_targets() {
    var queues =
        IntStream.range(0, 50).mapToObj(i -> queue(ONE, "a#" + i)).toArray(TargetQueue[]::new);
    assertEquals(8, grant(queues).size());
    assertTrue(slots.full().shares().contains(new Slots.Share(ONE, "a", false)));
    assertEquals(4, grant(queue(ONE, "b#1")).size());
  }

  @Test
  void one_repository_has_at_most_a_quarter() {
    var queues =
        IntStream.range(0, 50).mapToObj(i -> queue(ONE, "t" + i)).toArray(TargetQueue[]::new);
    assertEquals(16, grant(queues).size());
    assertTrue(slots.full().shares().contains(new Slots.Share(ONE, "webhook", false)));
    assertEquals(4, grant(queue(TWO, "a#1")).size());
  }

  @Test
  void targets_whose_calls_take_long_leave_their_slots_at_the_host_to_others() {
    assertEquals(4, grant(queue(ONE, "a#1")).size());
    for (var target : List.of("a#2", "a#3", "a#4", "a#5")) {
      slots.grant(List.of(queue(ONE, target)), 1);
    }
    assertEquals(8, slots.taken());
    assertEquals(0, grant(queue(ONE, "a#6")).size());
    assertTrue(slots.isCrowded());
    callsTakeLong();
    assertFalse(slots.isCrowded());
    assertEquals(4, grant(queue(ONE, "a#6")).size());
    assertEquals(0, grant(queue(ONE, "a#1")).size(), "what is in doubt has its slots already");
  }

  @Test
  void targets_in_doubt_leave_a_quarter_of_the_repository_to_others() {
    for (int host = 0; host < 10; host++) {
      grant(queue(ONE, host + "#1", true), queue(ONE, host + "#2", true));
    }
    assertEquals(12, slots.taken());
    assertTrue(slots.full().shares().contains(new Slots.Share(ONE, "webhook", true)));
    assertFalse(slots.full().shares().contains(new Slots.Share(ONE, "webhook", false)));
    assertEquals(4, grant(queue(ONE, "0#3")).size());
  }

  @Test
  void a_tenant_leaves_slots_to_others_however_many_repositories_it_has() {
    assertEquals(48, grant(queues(A, 10, false)).size());
    assertTrue(slots.full().shares().contains(new Slots.Share(A, "webhook", false)));
    assertFalse(slots.full().shares().contains(new Slots.Share(null, "webhook", false)));
    assertEquals(12, grant(queues(B, 10, false)).size());
    assertEquals(3, grant(queues(C, 10, false)).size());
    assertEquals(1, grant(queue(ONE, "a#1")).size());
  }

  @Test
  void slow_calls_of_a_tenant_leave_slots_to_slow_calls_of_others() {
    grant(queues(A, 10, false));
    callsTakeLong();
    assertEquals(0, grant(queues(A, 10, false)).size());
    assertEquals(4, grant(queue(ONE, "a#1", true)).size());
    assertEquals(4, grant(queue(TWO, "a#1")).size());
  }

  @Test
  void targets_in_doubt_of_a_tenant_leave_half_of_the_slots_to_others() {
    assertEquals(32, grant(queues(A, 10, true)).size());
    assertTrue(slots.full().shares().contains(new Slots.Share(A, "webhook", true)));
    assertFalse(slots.full().shares().contains(new Slots.Share(A, "webhook", false)));
    assertEquals(16, grant(queues(A, 10, false)).size(), "its prompt targets");
  }

  @Test
  void the_tenant_with_the_fewest_attempts_comes_first_however_many_queues_others_have() {
    slots.grant(List.of(queues(A, 1, false)), 4);
    var queues = new ArrayList<>(List.of(queues(A, 10, false)));
    queues.addAll(List.of(queues(B, 1, false)));
    assertEquals(
        Map.of(A, 2L, B, 6L),
        slots.grant(queues, 8).stream()
            .flatMap(grant -> grant.slots().stream())
            .collect(groupingBy(slot -> slot.target().tenantId(), counting())));
  }

  @Test
  void releasing_a_slot_while_a_tenant_has_no_room_concerns_all_tenants() {
    var taken = grant(queues(A, 10, false));
    assertTrue(slots.release(taken.get(0)));
    assertFalse(slots.release(taken.get(1)));
  }

  @Test
  void a_command_that_takes_long_is_not_in_doubt() {
    assertEquals(1, grant(sprite(ONE, "sprite:x")).size());
    callsTakeLong();
    assertFalse(slots.full().shares().contains(new Slots.Share(null, "sprite", false)));
    assertEquals(1, grant(sprite(TWO, "sprite:y")).size());
  }

  @Test
  void a_share_is_at_least_one_slot() {
    var slot = grant(sprite(ONE, "sprite:x")).getFirst();
    assertEquals(1, grant(sprite(TWO, "sprite:y")).size());
    assertTrue(slots.full().shares().contains(new Slots.Share(null, "sprite", false)));
    assertTrue(slots.release(slot));
    assertFalse(slots.full().shares().contains(new Slots.Share(null, "sprite", false)));
  }

  @Test
  void the_repository_and_then_the_target_with_the_fewest_attempts_comes_first() {
    grant(queue(new WorkTarget(A, ONE, "busy#1", "webhook"), false));
    var queues =
        Stream.of(target(ONE, "a#1"), target(ONE, "b#1"), target(TWO, "c#1"))
            .map(target -> new WorkTarget(A, target.repoId(), target.name(), target.executor()))
            .map(target -> queue(target, false))
            .toList();
    var grants = slots.grant(queues, 2);
    assertEquals(
        List.of("c#1", "a#1"),
        grants.stream().map(grant -> grant.queue().target().name()).toList());
    assertEquals(List.of(1, 1), grants.stream().map(grant -> grant.slots().size()).toList());
  }

  @Test
  void a_probe_is_one_attempt() {
    var target = target(ONE, "a#1");
    assertEquals(1, grant(new TargetQueue(target, false, true, true, null)).size());
  }

  @Test
  void a_released_slot_can_be_taken_again() {
    var taken = grant(queue(ONE, "a#1"));
    assertEquals(4, slots.taken());
    taken.forEach(slots::release);
    assertEquals(0, slots.taken());
    assertEquals(4, grant(queue(ONE, "a#1")).size());
  }

  @Test
  void one_target_has_at_most_half_of_the_slots_for_jobs_and_others_the_rest() {
    var jobs = new Slots(Map.of("export", SlotLimits.ofJobs(5)), now::get);
    var queues =
        Stream.of(A, B, C)
            .map(account -> TargetQueue.of(WorkTarget.ofTenant(account, "export")))
            .toList();
    assertEquals(3, jobs.grant(queues.subList(0, 1), 100).getFirst().slots().size());
    callsTakeLong();
    assertEquals(List.of(), jobs.grant(queues.subList(0, 1), 100));
    assertEquals(2, jobs.grant(queues.subList(1, 3), 100).size());
    assertEquals(List.of(), jobs.grant(queues, 100));
  }
}

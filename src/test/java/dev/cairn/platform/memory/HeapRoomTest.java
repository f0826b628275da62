package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operation: who gets room in the heap. */
class HeapRoomTest {
  private static final int KIB = 1024;
  private static final int SIZE = 100;

  /** As much as one owner may have. */
  private static final long SHARE = (SIZE / 4 - 1) * KIB;

  private final HeapRoom room = new HeapRoom(SIZE, Duration.ZERO);

  @Test
  void an_owner_that_does_not_wait_leaves_room_to_others_and_to_waiting_ones() {
    var first = room.tryHold("a", SHARE).orElseThrow();
    assertTrue(room.tryHold("a", 1).isEmpty(), "beyond the share of an owner");
    assertTrue(room.tryHold("b", SHARE).isPresent());
    assertTrue(room.tryHold("c", 1).isEmpty(), "the rest is for those who wait");

    var waited = room.hold("c", SIZE / 2 * KIB - 1);
    assertThrows(Problem.class, () -> room.hold("d", 1));

    first.run();
    assertTrue(room.tryHold("e", 1).isEmpty());
    waited.run();
    assertTrue(room.tryHold("e", SHARE).isPresent());
  }

  @Test
  void beyond_a_number_the_work_of_one_owner_is_refused_at_once() throws Exception {
    var patient = new HeapRoom(SIZE, Duration.ofSeconds(30));
    var all = patient.hold("a", SIZE * KIB);
    var waiting = new ArrayList<Thread>();
    for (int i = 1; i < HeapRoom.MAX_OF_OWNER; i++) {
      waiting.add(Thread.startVirtualThread(() -> patient.hold("a", 1).run()));
    }
    Eventually.await("all others wait", () -> patient.waiting() >= waiting.size());
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertThrows(Problem.class, () -> patient.hold("a", 1)));
    all.run();
    for (var thread : waiting) {
      thread.join();
    }
    patient.hold("a", 1).run();
  }

  @Test
  void a_waiting_owner_gets_room_before_those_that_do_not_wait() throws Exception {
    var patient = new HeapRoom(SIZE, Duration.ofSeconds(30));
    var first = patient.tryHold("a", SHARE).orElseThrow();
    var waiting = Thread.startVirtualThread(() -> patient.hold("b", SIZE * KIB).run());
    Eventually.await("the other owner waits", () -> patient.waiting() > 0);
    assertTrue(patient.tryHold("c", 1).isEmpty());
    first.run();
    waiting.join();
    assertEquals(0, patient.waiting());
    patient.tryHold("c", 1).orElseThrow().run();
  }

  @Test
  void owners_that_held_much_leave_a_quarter_to_those_that_did_not() throws Exception {
    var often = List.of("a", "b", "c", "d");
    for (var release : often.stream().map(owner -> room.hold(owner, SHARE)).toList()) {
      Thread.sleep(300);
      release.run();
    }
    long held = often.stream().filter(this::holds).count();
    assertEquals(3, held);
    room.hold("new", SHARE).run();
  }

  private boolean holds(String owner) {
    try {
      room.hold(owner, SHARE);
      return true;
    } catch (Problem _) {
      return false;
    }
  }
}

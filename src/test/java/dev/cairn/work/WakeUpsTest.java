package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Actions, Workers: what wakes the thread that claims. */
class WakeUpsTest {
  private static final UUID FIRST = new UUID(0, 1);
  private static final UUID SECOND = new UUID(0, 2);

  private final WakeUps wakeUps = new WakeUps();

  @Test
  void wake_ups_between_two_claims_count_once() throws InterruptedException {
    wakeUps.open();
    wakeUps.wake(FIRST);
    wakeUps.wake(FIRST);
    wakeUps.wake(SECOND);
    assertEquals(2, wakeUps.recorded());
    assertEquals(Optional.of(Set.of(FIRST, SECOND)), wakeUps.await(Duration.ZERO));
    assertEquals(0, wakeUps.recorded());
    wakeUps.wakeAll();
    wakeUps.wake(FIRST);
    assertEquals(Optional.empty(), wakeUps.await(Duration.ZERO));
  }

  @Test
  void nothing_is_recorded_where_no_thread_claims() {
    wakeUps.wake(FIRST);
    assertEquals(0, wakeUps.recorded());
  }

  @Test
  void nothing_is_recorded_after_the_end() {
    wakeUps.open();
    wakeUps.close();
    wakeUps.open();
    wakeUps.wake(FIRST);
    assertEquals(0, wakeUps.recorded());
    assertThrows(InterruptedException.class, () -> wakeUps.await(Duration.ZERO));
  }
}

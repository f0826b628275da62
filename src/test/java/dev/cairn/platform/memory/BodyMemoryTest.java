package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/limits.md, Memory: parsed bodies. */
class BodyMemoryTest {
  private static final long MORE_THAN_ANY_ROOM = 1L << 40;

  private final BodyMemory memory = new BodyMemory(new SimpleMeterRegistry());

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void small_bodies_do_not_wait_for_the_largest_one(boolean anonymous) {
    var largest = memory.hold(new ArrivalRoom.Owner("a", anonymous), MORE_THAN_ANY_ROOM);
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> memory.hold(new ArrivalRoom.Owner("b", anonymous), 100_000).run());
    largest.run();
  }
}

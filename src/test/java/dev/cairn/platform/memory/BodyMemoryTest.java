package dev.cairn.platform.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
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

  private static final long MIB = 1024 * 1024;
  private static final UUID ACCOUNT = UUID.randomUUID();
  private static final byte[] BODY = {'{', '}'};

  /** A quarter of the room is what one account may have while others wait. */
  private static long share() {
    return HeapShare.LARGE_BODIES.bytes() / HeapRoom.OWNER_FRACTION;
  }

  @Test
  void what_is_read_takes_room_until_it_is_given_back() {
    var first = memory.extra(ACCOUNT, BODY);
    for (long taken = 0; taken < share() - 2 * MIB; taken += MIB) {
      first.add(MIB);
    }
    var second = memory.extra(ACCOUNT, BODY);
    second.add(MIB / 4); // Small reads have another room.
    var refusal = assertThrows(Problem.class, () -> second.add(4 * MIB));
    assertEquals(ErrorCode.UNAVAILABLE, refusal.code());
    assertSame(refusal, assertThrows(Problem.class, () -> second.add(1)), "refused at once");

    memory.extra(UUID.randomUUID(), BODY).add(4 * MIB);
    first.release();
    second.release();
    second.add(4 * MIB);
    second.release();
  }

  @Test
  void work_that_is_patient_waits_until_there_is_room() throws Exception {
    var first = memory.extra(ACCOUNT, BODY);
    first.add(share() - 2 * MIB);
    var grows = memory.patientExtra(ACCOUNT, BODY);
    grows.add(MIB);
    var begins = memory.patientExtra(ACCOUNT, BODY);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var grown = threads.submit(() -> grows.add(2 * MIB));
      var begun = threads.submit(() -> begins.add(3 * MIB));
      Thread.sleep(600);
      assertFalse(grown.isDone() || begun.isDone(), "they wait");
      first.release();
      grown.get();
      begun.get();
    }
    grows.release();
    begins.release();
  }

  @Test
  void what_can_never_fit_is_refused_for_good() {
    var extra = memory.extra(ACCOUNT, BODY);
    var refusal =
        assertThrows(Problem.class, () -> extra.add(HeapShare.LARGE_BODIES.bytes() + MIB));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refusal.code());
  }

  @Test
  void a_body_counts_beside_what_is_read() {
    var body = ("[" + "0,".repeat(100_000) + "0]").getBytes(UTF_8);
    long left = HeapShare.LARGE_BODIES.bytes() - ParsedSize.of(body);
    var refusal = assertThrows(Problem.class, () -> memory.extra(ACCOUNT, body).add(left + MIB));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refusal.code());
    var fits = memory.extra(ACCOUNT, BODY);
    fits.add(left + MIB);
    fits.release();
  }
}

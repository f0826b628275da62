package dev.cairn.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** docs/streams.md, All or nothing: the time of the transaction, and what is checked in it. */
class TransactionWatchTest {
  private static final long MIB = 1024 * 1024;

  private final AtomicLong now = new AtomicLong(17);
  private final AtomicInteger checks = new AtomicInteger();

  private TransactionWatch watch(Duration max) {
    return new TransactionWatch(checks::incrementAndGet, max, now::get);
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void a_transaction_may_take_a_minute_and_more_for_its_operations_and_bytes() {
    assertEquals(Duration.ofSeconds(60), TransactionWatch.maxTime(0, 0));
    assertEquals(Duration.ofSeconds(60), TransactionWatch.maxTime(2_499, 8 * MIB - 1));
    assertEquals(Duration.ofSeconds(62), TransactionWatch.maxTime(2_500, 8 * MIB));
    assertEquals(Duration.ofSeconds(460), TransactionWatch.maxTime(1_000_000, 0));
    assertEquals(Duration.ofMinutes(13), TransactionWatch.maxTime(1_000_000, 4_096 * MIB));
  }

  @Test
  void a_million_operations_may_be_written_at_less_than_half_of_5_000_a_second() {
    assertTrue(
        TransactionWatch.maxTime(Submission.MAX_OPERATIONS, 0).toSeconds()
            > 2 * Submission.MAX_OPERATIONS / 5_000);
  }

  @Test
  void beyond_its_time_a_transaction_ends_and_all_attempts_count_together() {
    var watch = watch(Duration.ofSeconds(60));
    pass(Duration.ofHours(1));
    watch.requireGoingOn();
    pass(Duration.ofSeconds(60));
    watch.requireGoingOn();
    pass(Duration.ofNanos(1));
    var problem = assertThrows(Problem.class, watch::requireGoingOn);
    assertEquals(ErrorCode.UNAVAILABLE, problem.code());
    assertTrue(problem.detail().contains("60 s"), problem.detail());
  }

  @Test
  void the_time_of_renames_does_not_count() {
    var watch = watch(Duration.ofSeconds(60));
    watch.requireGoingOn();
    watch.pause(() -> pass(Duration.ofMinutes(4)));
    pass(Duration.ofSeconds(60));
    watch.requireGoingOn();
    pass(Duration.ofNanos(1));
    assertThrows(Problem.class, watch::requireGoingOn);
  }

  @Test
  void it_is_checked_each_second_whether_it_may_go_on() {
    var watch = watch(Duration.ofSeconds(60));
    for (int i = 0; i < 1_000; i++) {
      watch.requireGoingOn();
      pass(Duration.ofMillis(10));
    }
    assertTrue(checks.get() == 9 || checks.get() == 10, checks + " checks in 10 s");
  }
}

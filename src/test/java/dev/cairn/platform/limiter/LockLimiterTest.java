package dev.cairn.platform.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.cairn.Eventually;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Operation: how much work of one account waits for locks. */
class LockLimiterTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final LockLimiter limiter =
      new LockLimiter(5, () -> busy("busy"), () -> busy("busy account"));

  private static Problem busy(String detail) {
    return Problem.of(ErrorCode.UNAVAILABLE, detail);
  }

  @Test
  void beyond_a_number_the_work_of_one_account_is_refused_at_once_and_that_of_others_goes_on()
      throws Exception {
    var account = UUID.randomUUID();
    var key = UUID.randomUUID();
    var end = new CountDownLatch(1);
    var begun = new CountDownLatch(2);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < LockLimiter.MAX_OF_ACCOUNT; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> limiter.call(key, account, LONG, () -> counted(begun, end))));
    }
    begun.await();
    Eventually.await("all others wait", () -> limiter.waiting() >= threads.size() - 2);
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          var other = UUID.randomUUID();
          var refused =
              assertThrows(Problem.class, () -> limiter.call(other, account, LONG, () -> 0));
          assertEquals("busy account", refused.detail());
          assertEquals(1, limiter.call(other, UUID.randomUUID(), LONG, () -> 1));
        });
    end.countDown();
    for (var thread : threads) {
      thread.join();
    }
    assertEquals(1, limiter.call(key, account, LONG, () -> 1));
  }

  @Test
  void many_callers_of_one_account_leave_a_place_of_the_key_to_another_account() throws Exception {
    var account = UUID.randomUUID();
    var key = UUID.randomUUID();
    var end = new CountDownLatch(1);
    var begun = new CountDownLatch(2);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 20; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> limiter.call(key, account, LONG, () -> counted(begun, end))));
    }
    begun.await();
    Eventually.await("all others wait", () -> limiter.waiting() == threads.size() - 2);
    assertEquals(1, limiter.call(key, UUID.randomUUID(), Duration.ZERO, () -> 1));
    assertEquals(threads.size() - 2, limiter.waiting());
    end.countDown();
    for (var thread : threads) {
      thread.join();
    }
  }

  private static int counted(CountDownLatch begun, CountDownLatch end) {
    begun.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }
}

package dev.cairn.access.limit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.platform.http.NetworkAddress;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Access: the token buckets. */
@HttpTest
@QuarkusTest
@InProcess("It takes from buckets.")
class RateLimiterTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Inject RateLimiter limiter;

  private final String key = Api.unique("key");

  private void take(int quota, Duration window) {
    limiter.take("tests", key, quota, window);
  }

  @Test
  void the_quota_is_let_through_and_the_next_one_is_told_when_to_come_again() {
    for (int i = 0; i < 3; i++) {
      take(3, MINUTE);
    }
    var problem = assertThrows(Problem.class, () -> take(3, MINUTE));
    assertEquals(ErrorCode.RATE_LIMITED, problem.code());
    long wait = (Long) problem.details().get("retryAfter");
    assertTrue(wait >= 1 && wait <= 20, "wait " + wait);
  }

  @Test
  void each_key_and_each_policy_has_a_bucket_of_its_own() {
    take(1, MINUTE);
    assertThrows(Problem.class, () -> take(1, MINUTE));
    limiter.take("tests", key + "-other", 1, MINUTE);
    limiter.take("other-tests", key, 1, MINUTE);
  }

  @Test
  void addresses_of_one_network_share_a_bucket() {
    assertEquals(
        NetworkAddress.network("2001:db8:0:1::1"), NetworkAddress.network("2001:db8:0:1:ff::2"));
    assertNotEquals(
        NetworkAddress.network("2001:db8:0:1::1"), NetworkAddress.network("2001:db8:0:2::1"));
    assertNotEquals(NetworkAddress.network("192.0.2.1"), NetworkAddress.network("192.0.2.2"));
    assertEquals(NetworkAddress.network("192.0.2.1"), NetworkAddress.network("::ffff:192.0.2.1"));
    var address = "2001:db8:0:%x::".formatted(key.hashCode() & 0xffff);
    var policy = "tests of " + key;
    limiter.takeByAddress(policy, address + "1", 1, MINUTE);
    assertThrows(Problem.class, () -> limiter.takeByAddress(policy, address + "2", 1, MINUTE));
  }

  @Test
  void zero_switches_a_limit_off() {
    for (int i = 0; i < 100; i++) {
      take(0, MINUTE);
    }
  }

  @Test
  void a_bucket_refills_and_refusals_cost_nothing() throws InterruptedException {
    var window = Duration.ofSeconds(4);
    take(2, window);
    take(2, window);
    for (int i = 0; i < 10; i++) {
      assertThrows(Problem.class, () -> take(2, window));
    }
    Thread.sleep(2_100);
    assertDoesNotThrow(() -> take(2, window));
    assertThrows(Problem.class, () -> take(2, window));
  }

  @Test
  void a_refusal_waits_for_nobody_that_has_locked_the_bucket() throws Exception {
    take(1, Duration.ofHours(1));
    try (var connection = OwnConnections.plain()) {
      connection.setAutoCommit(false);
      OwnConnections.execute(connection, "select from rate_limit for update");
      var problem =
          assertTimeout(
              Duration.ofSeconds(3),
              () -> assertThrows(Problem.class, () -> take(1, Duration.ofHours(1))));
      assertEquals(ErrorCode.RATE_LIMITED, problem.code());
      connection.rollback();
    }
  }

  @Test
  void more_tokens_than_are_left_take_nothing_and_are_told_when_there_will_be_enough() {
    var day = Duration.ofDays(1);
    assertEquals(Optional.empty(), limiter.tryTake("tests", key, 60, 100, day));
    long wait = limiter.tryTake("tests", key, 41, 100, day).orElseThrow().toSeconds();
    assertTrue(wait <= 864 && wait > 864 - 300, "wait " + wait);
    assertTrue(limiter.untilFree("tests", key, 41, 100, day).isPresent());
    assertEquals(Optional.empty(), limiter.untilFree("tests", key, 40, 100, day));
    assertEquals(Optional.empty(), limiter.tryTake("tests", key, 40, 100, day));
    assertTrue(limiter.tryTake("tests", key, 1, 100, day).isPresent());
  }

  @Test
  void a_full_bucket_gives_more_than_it_holds_and_owes_the_rest() {
    var day = Duration.ofDays(1);
    assertEquals(Optional.empty(), limiter.untilFree("tests", key, 250, 100, day));
    assertEquals(Optional.empty(), limiter.tryTake("tests", key, 250, 100, day));
    long wait = limiter.tryTake("tests", key, 1, 100, day).orElseThrow().toSeconds();
    // 150 that it owes and the one, at 864 s each.
    assertTrue(wait <= 151 * 864 && wait > 150 * 864, "wait " + wait);

    var other = key + "-other";
    assertEquals(Optional.empty(), limiter.tryTake("tests", other, 1, 100, day));
    assertTrue(limiter.tryTake("tests", other, 250, 100, day).isPresent());
  }

  @Test
  void many_calls_at_once_get_no_more_than_the_quota() throws Exception {
    Callable<Integer> call =
        () -> {
          try {
            take(5, Duration.ofHours(1));
            return 1;
          } catch (Problem e) {
            return 0;
          }
        };
    int passed = 0;
    try (var pool = Executors.newFixedThreadPool(8)) {
      for (var future : pool.invokeAll(Collections.nCopies(40, call))) {
        passed += future.get();
      }
    }
    assertEquals(5, passed);
  }
}

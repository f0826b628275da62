package dev.cairn.access.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Access: passwords. */
class PasswordHashingTest {
  private final PasswordHashing passwords = new PasswordHashing(new SimpleMeterRegistry());

  /** All but the salt and the hash: the algorithm and what makes it take its time. */
  private static String cost(String hash) {
    return hash.substring(0, hash.indexOf("p=1$"));
  }

  @Test
  void where_there_is_no_account_the_same_work_is_done_as_where_there_is_one() {
    var hash = passwords.hash("a good long password", null);
    assertEquals(cost(hash), cost(PasswordHashing.NOBODY));
    assertEquals(hash.length(), PasswordHashing.NOBODY.length());
    assertTrue(passwords.matches("a good long password", hash, null));
    assertFalse(passwords.matches("another password", hash, null));
    assertFalse(passwords.matches("a good long password", null, null));
  }

  @Test
  void as_many_of_an_address_wait_as_may_and_the_next_one_is_refused() throws Exception {
    var metrics = new SimpleMeterRegistry();
    var one = new PasswordHashing(1, 2, metrics);
    var release = new CountDownLatch(1);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = occupy(callers, one, release);
      var second = callers.submit(() -> one.hash("a", "192.0.2.1"));
      awaitWaiting(metrics, 1);

      var problem = assertThrows(Problem.class, () -> one.hash("b", "192.0.2.1"));

      assertEquals(ErrorCode.UNAVAILABLE, problem.code());
      assertEquals(1, metrics.get("cairn.passwords.refused").counter().count());
      var other = callers.submit(() -> one.hash("c", "192.0.2.2"));
      awaitWaiting(metrics, 2);
      release.countDown();
      assertTrue(first.get());
      for (var hash : List.of(second, other)) {
        assertTrue(hash.get().startsWith("$argon2id$"));
      }
    }
  }

  @Test
  void one_more_address_waits_for_no_more_than_one_password_of_each() throws Exception {
    var metrics = new SimpleMeterRegistry();
    var one = new PasswordHashing(1, 128, metrics);
    var release = new CountDownLatch(1);
    var order = new CopyOnWriteArrayList<String>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var _ = occupy(callers, one, release);
      int waiting = 0;
      for (int i = 0; i < 5; i++) {
        for (var address : List.of("192.0.2.1", "192.0.2.2")) {
          callers.execute(() -> one.call(address, () -> order.add(address)));
          awaitWaiting(metrics, ++waiting);
        }
      }
      callers.execute(() -> one.call("192.0.2.3", () -> order.add("192.0.2.3")));
      awaitWaiting(metrics, ++waiting);
      release.countDown();
    }
    assertEquals(11, order.size());
    assertTrue(order.indexOf("192.0.2.3") < 2, order::toString);
  }

  /** Keeps the only thread busy. */
  private static Future<Boolean> occupy(
      ExecutorService callers, PasswordHashing one, CountDownLatch until)
      throws InterruptedException {
    var begun = new CountDownLatch(1);
    var occupied =
        callers.submit(
            () ->
                one.call(
                    "192.0.2.1",
                    () -> {
                      begun.countDown();
                      until.await();
                      return true;
                    }));
    begun.await();
    return occupied;
  }

  private static void awaitWaiting(MeterRegistry metrics, int count) throws InterruptedException {
    for (int i = 0;
        i < 1_000 && metrics.get("cairn.passwords.waiting").gauge().value() < count;
        i++) {
      Thread.sleep(5);
    }
  }
}

package dev.cairn.access.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Access: passwords. */
class PasswordHashingTest {
  private static final PasswordTurn SERVICE = PasswordTurn.ofService();

  private final PasswordHashing passwords = new PasswordHashing(new SimpleMeterRegistry());

  /** All but the salt and the hash: the algorithm and what makes it take its time. */
  private static String cost(String hash) {
    return hash.substring(0, hash.indexOf("p=1$"));
  }

  @Test
  void where_there_is_no_account_the_same_work_is_done_as_where_there_is_one() {
    var hash = passwords.hash("a good long password", SERVICE);
    assertEquals(cost(hash), cost(PasswordHashing.NOBODY));
    assertEquals(hash.length(), PasswordHashing.NOBODY.length());
    assertTrue(passwords.matches("a good long password", hash, SERVICE));
    assertFalse(passwords.matches("another password", hash, SERVICE));
    assertFalse(passwords.matches("a good long password", null, SERVICE));
  }

  @Test
  void as_many_wait_as_may_and_the_last_one_of_the_address_with_the_most_is_refused()
      throws Exception {
    var metrics = new SimpleMeterRegistry();
    var one = new PasswordHashing(1, 3, metrics);
    var release = new CountDownLatch(1);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var _ = occupy(callers, one, release);
      var kept = new ArrayList<Future<String>>();
      var addresses = List.of("192.0.2.1", "192.0.2.1", "203.0.113.1");
      for (int i = 0; i < addresses.size(); i++) {
        var address = addresses.get(i);
        kept.add(callers.submit(() -> one.hash("a", from(address))));
        awaitWaiting(metrics, i + 1);
      }
      assertRefused(metrics, 1, () -> one.hash("b", from("192.0.2.1")));

      var known = callers.submit(() -> one.hash("c", PasswordTurn.ofAccount("ann@example.org")));
      assertRefused(metrics, 2, () -> result(kept.remove(1)));
      release.countDown();
      kept.add(known);
      for (var hash : kept) {
        assertTrue(hash.get().startsWith("$argon2id$"));
      }
    }
  }

  private static void assertRefused(MeterRegistry metrics, int count, Executable call) {
    assertEquals(ErrorCode.UNAVAILABLE, assertThrows(Problem.class, call).code());
    assertEquals(count, metrics.get("cairn.passwords.refused").counter().count());
  }

  private static void result(Future<?> call) throws Throwable {
    try {
      call.get();
    } catch (ExecutionException e) {
      throw e.getCause();
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
          callers.execute(() -> one.call(from(address), () -> order.add(address)));
          awaitWaiting(metrics, ++waiting);
        }
      }
      callers.execute(() -> one.call(from("192.0.2.3"), () -> order.add("192.0.2.3")));
      awaitWaiting(metrics, ++waiting);
      release.countDown();
    }
    assertEquals(11, order.size());
    assertTrue(order.indexOf("192.0.2.3") < 2, order::toString);
  }

  @Test
  void one_from_a_known_address_comes_next_however_many_others_wait() throws Exception {
    assertComesNext(
        PasswordTurn.ofAccount("ann@example.org"), i -> "10.%d.%d.1".formatted(i, i % 7));
  }

  @Test
  void one_from_another_network_comes_before_those_of_one_holder_of_many_addresses()
      throws Exception {
    assertComesNext(from("203.0.113.7"), i -> "198.51.100." + i);
    assertComesNext(from("2001:db8:1::1"), "2001:db8:2:%x::1"::formatted);
  }

  @Test
  void accounts_share_the_turns_of_known_addresses() throws Exception {
    var metrics = new SimpleMeterRegistry();
    var one = new PasswordHashing(1, 128, metrics);
    var release = new CountDownLatch(1);
    var order = new CopyOnWriteArrayList<String>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var _ = occupy(callers, one, release);
      int waiting = 0;
      for (var email : List.of("eve@example.org", "eve@example.org", "ann@example.org")) {
        callers.execute(() -> one.call(PasswordTurn.ofAccount(email), () -> order.add(email)));
        awaitWaiting(metrics, ++waiting);
      }
      release.countDown();
    }
    assertEquals(List.of("eve@example.org", "ann@example.org", "eve@example.org"), order);
  }

  /** While one password of each of many addresses waits, which come one after the other. */
  private static void assertComesNext(PasswordTurn turn, IntFunction<String> address)
      throws Exception {
    var metrics = new SimpleMeterRegistry();
    var one = new PasswordHashing(1, 128, metrics);
    var release = new CountDownLatch(1);
    var order = new CopyOnWriteArrayList<String>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var _ = occupy(callers, one, release);
      int waiting = 0;
      for (int i = 1; i <= 50; i++) {
        var other = from(address.apply(i));
        callers.execute(() -> one.call(other, () -> order.add("other")));
        awaitWaiting(metrics, ++waiting);
      }
      callers.execute(() -> one.call(turn, () -> order.add("this one")));
      awaitWaiting(metrics, ++waiting);
      release.countDown();
    }
    assertEquals(51, order.size());
    assertTrue(order.indexOf("this one") < 2, order::toString);
  }

  private static PasswordTurn from(String address) {
    return PasswordTurn.ofAddress(address);
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
                    from("192.0.2.1"),
                    () -> {
                      begun.countDown();
                      until.await();
                      return true;
                    }));
    begun.await();
    return occupied;
  }

  private static void awaitWaiting(MeterRegistry metrics, int count) {
    var waiting = metrics.get("cairn.passwords.waiting").gauge();
    Eventually.await(() -> count + " wait: " + waiting.value(), () -> waiting.value() >= count);
  }
}

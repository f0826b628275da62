package dev.cairn.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
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
    var hash = passwords.hash("a good long password");
    assertEquals(cost(hash), cost(PasswordHashing.NOBODY));
    assertEquals(hash.length(), PasswordHashing.NOBODY.length());
    assertTrue(passwords.matches("a good long password", hash));
    assertFalse(passwords.matches("another password", hash));
    assertFalse(passwords.matches("a good long password", null));
  }

  @Test
  void as_many_wait_as_may_and_the_next_one_is_refused() throws Exception {
    var metrics = new SimpleMeterRegistry();
    var one = new PasswordHashing(1, 2, metrics);
    var begun = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var first =
          callers.submit(
              () ->
                  one.inTurn(
                      () -> {
                        begun.countDown();
                        release.await();
                        return true;
                      }));
      begun.await();
      var waiting =
          List.of(callers.submit(() -> one.hash("a")), callers.submit(() -> one.hash("b")));
      for (int i = 0; i < 500 && metrics.get("cairn.passwords.waiting").gauge().value() < 2; i++) {
        Thread.sleep(10);
      }

      var problem = assertThrows(Problem.class, () -> one.hash("c"));

      assertEquals(ErrorCode.UNAVAILABLE, problem.code());
      assertEquals(1, metrics.get("cairn.passwords.refused").counter().count());
      release.countDown();
      assertTrue(first.get());
      for (var hash : waiting) {
        assertTrue(hash.get().startsWith("$argon2id$"));
      }
    }
  }
}

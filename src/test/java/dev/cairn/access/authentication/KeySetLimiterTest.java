package dev.cairn.access.authentication;

import static dev.cairn.access.authentication.KeySetLimiter.MAX_NEW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** External issuer: a key set that answers slowly keeps nobody waiting but a few. */
class KeySetLimiterTest {
  private static final int THREADS = 10;

  private final KeySetLimiter limiter = new KeySetLimiter(THREADS);

  @Test
  void made_up_keys_are_refused_while_a_few_wait_and_known_keys_go_on() throws Exception {
    assertEquals(Optional.of("first"), limiter.call("known.a.b", () -> Optional.of("first")));
    var waiting = new CountDownLatch(MAX_NEW);
    var answered = new CountDownLatch(1);
    Supplier<Optional<String>> slow =
        () -> {
          waiting.countDown();
          try {
            answered.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return Optional.empty();
        };
    var sent = new ArrayList<Future<Optional<String>>>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < MAX_NEW; i++) {
        var token = "unknown" + i + ".a.b";
        sent.add(executor.submit(() -> limiter.call(token, slow)));
      }
      waiting.await();
      var problem =
          assertTimeout(
              Duration.ofSeconds(2),
              () -> assertThrows(Problem.class, () -> limiter.call("more.a.b", slow)));
      assertEquals(ErrorCode.UNAVAILABLE, problem.code());
      assertEquals(Optional.of("second"), limiter.call("known.c.d", () -> Optional.of("second")));
      answered.countDown();
      for (var answer : sent) {
        assertEquals(Optional.empty(), answer.get());
      }
    }
    assertEquals(Optional.of("third"), limiter.call("more.a.b", () -> Optional.of("third")));
  }

  /** Or old tokens, which many may have, would hold the threads of all other callers. */
  @Test
  void a_key_that_is_no_longer_in_the_key_set_is_like_one_that_never_was() throws Exception {
    limiter.call("rotated.a.b", () -> Optional.of("valid"));
    assertEquals(Optional.empty(), limiter.call("rotated.a.b", KeySetLimiterTest::slowlyRefused));
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var oneIsRefused = new CountDownLatch(1);
      Supplier<Optional<String>> untilThen =
          () -> {
            await(oneIsRefused);
            return Optional.empty();
          };
      var sent = new ArrayList<Future<?>>();
      for (int i = 0; i <= MAX_NEW; i++) {
        sent.add(
            executor.submit(
                () -> {
                  try {
                    limiter.call("rotated.a.b", untilThen);
                  } catch (Problem e) {
                    oneIsRefused.countDown();
                  }
                }));
      }
      for (var one : sent) {
        one.get(20, TimeUnit.SECONDS);
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Optional<String> slowlyRefused() {
    try {
      Thread.sleep(Duration.ofMillis(600));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  @Test
  void a_token_without_a_header_is_verified_like_a_new_one() {
    assertEquals(Optional.empty(), limiter.call("nothing", Optional::empty));
  }
}

package dev.cairn.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** docs/export.md, Slow clients: whose stream ends when an account without one waits. */
class StreamLimiterTest {
  private static final int PIECE = 128 * 1024;
  private static final StreamLimiter.Refusals REFUSALS =
      new StreamLimiter.Refusals("%d", "all", "hint");

  private final AtomicLong nanos = new AtomicLong();
  private final StreamLimiter limiter = new StreamLimiter(1, 1, REFUSALS, nanos::get);
  private final AtomicBoolean isEnded = new AtomicBoolean();
  private final CountDownLatch isOld = new CountDownLatch(1);

  /** Takes the only slot for a client that reads this many pieces a second, until it is ended. */
  private void stream(int piecesPerSecond) throws IOException {
    var client =
        new OutputStream() {
          @Override
          public void write(int one) {
            throw new AssertionError("pieces are written whole");
          }

          @Override
          public void write(byte[] piece, int from, int length) {
            long now = nanos.addAndGet(TimeUnit.SECONDS.toNanos(1) / piecesPerSecond);
            if (now > TimeUnit.SECONDS.toNanos(40)) {
              isOld.countDown();
              Thread.onSpinWait();
            }
          }
        };
    limiter.send(
        UUID.randomUUID(),
        () -> isEnded.set(true),
        client,
        out -> {
          while (!isEnded.get()) {
            out.write(new byte[PIECE], 0, PIECE);
          }
        });
  }

  @Test
  void a_client_that_reads_a_quarter_of_a_mebibyte_a_second_makes_room_after_half_a_minute()
      throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var slow =
          executor.submit(
              () -> {
                stream(2);
                return null;
              });
      try {
        assertTrue(isOld.await(20, TimeUnit.SECONDS));
        limiter.send(UUID.randomUUID(), () -> {}, OutputStream.nullOutputStream(), _ -> {});
        assertTrue(isEnded.get());
      } finally {
        isEnded.set(true);
      }
      slow.get();
      assertEquals(0, limiter.running());
    }
  }

  @Test
  void one_that_reads_one_is_left_alone() throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var fast =
          executor.submit(
              () -> {
                stream(8);
                return null;
              });
      try {
        assertTrue(isOld.await(20, TimeUnit.SECONDS));
        var other =
            executor.submit(
                () -> {
                  limiter.send(
                      UUID.randomUUID(), () -> {}, OutputStream.nullOutputStream(), _ -> {});
                  return null;
                });
        assertThrows(
            TimeoutException.class,
            () -> other.get(Duration.ofSeconds(3).toMillis(), TimeUnit.MILLISECONDS));
        assertFalse(isEnded.get());
      } finally {
        isEnded.set(true);
      }
      fast.get();
    }
  }
}

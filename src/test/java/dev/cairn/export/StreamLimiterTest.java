package dev.cairn.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** docs/export.md, The stream, Slow clients: who gets a slot, and whose stream ends for it. */
class StreamLimiterTest {
  private static final int PIECE = 128 * 1024;
  private static final StreamLimiter.Refusals REFUSALS =
      new StreamLimiter.Refusals("%d", "all", "hint");

  private final AtomicLong nanos = new AtomicLong();
  private final StreamLimiter limiter = new StreamLimiter(1, 1, REFUSALS, nanos::get);
  private final AtomicBoolean isEnded = new AtomicBoolean();
  private final CountDownLatch isOld = new CountDownLatch(1);

  /** A client that reads this many pieces a second, until its stream is ended. */
  private OutputStream client(int piecesPerSecond) {
    return new OutputStream() {
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
  }

  private void writeUntilEnded(OutputStream out) throws IOException {
    while (!isEnded.get()) {
      out.write(new byte[PIECE], 0, PIECE);
    }
  }

  /** Has a stream begin, which ends by itself, for an account without one. */
  private static void sendShort(StreamLimiter limiter) throws IOException {
    limiter.send(UUID.randomUUID(), () -> {}, OutputStream.nullOutputStream(), _ -> {});
  }

  /** What an account without a stream does. */
  @FunctionalInterface
  private interface Newcomer {
    void come(ExecutorService executor) throws Exception;
  }

  /** Lets it come once the only slot is taken by a client of that speed for long. */
  private void whileOneReads(int piecesPerSecond, Newcomer newcomer) throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var reader =
          executor.submit(
              () -> {
                limiter.send(
                    UUID.randomUUID(),
                    () -> isEnded.set(true),
                    client(piecesPerSecond),
                    this::writeUntilEnded);
                return null;
              });
      try {
        assertTrue(isOld.await(20, TimeUnit.SECONDS));
        newcomer.come(executor);
      } finally {
        isEnded.set(true);
      }
      reader.get();
      assertEquals(0, limiter.running());
    }
  }

  @Test
  void a_client_that_reads_a_quarter_of_a_mebibyte_a_second_makes_room_after_half_a_minute()
      throws Exception {
    whileOneReads(
        2,
        _ -> {
          sendShort(limiter);
          assertTrue(isEnded.get());
        });
  }

  @Test
  void one_that_reads_one_is_left_alone() throws Exception {
    whileOneReads(
        8,
        executor -> {
          var other =
              executor.submit(
                  () -> {
                    sendShort(limiter);
                    return null;
                  });
          assertThrows(
              TimeoutException.class,
              () -> other.get(Duration.ofSeconds(3).toMillis(), TimeUnit.MILLISECONDS));
          assertFalse(isEnded.get());
        });
  }

  /** Streams of accounts, as many of each as it may have, which go on until they are ended. */
  private static void keepOpen(
      StreamLimiter limiter, List<UUID> accounts, CountDownLatch end, ExecutorService executor) {
    for (var account : accounts) {
      for (int i = 0; i < 2; i++) {
        var _ =
            executor.submit(
                () -> {
                  limiter.send(
                      account,
                      () -> {},
                      OutputStream.nullOutputStream(),
                      _ -> {
                        try {
                          end.await();
                        } catch (InterruptedException e) {
                          throw new IOException(e);
                        }
                      });
                  return null;
                });
      }
    }
  }

  private static void awaitRunning(StreamLimiter limiter, int count) throws InterruptedException {
    Eventually.await(() -> count + " run: " + limiter.running(), () -> limiter.running() == count);
    Thread.sleep(500); // and no more of them begin
    assertEquals(count, limiter.running());
  }

  @Test
  void three_accounts_that_stream_all_the_time_leave_a_slot_to_one_without_a_stream()
      throws Exception {
    var limiter = new StreamLimiter(5, 2, REFUSALS);
    var accounts = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
    var end = new CountDownLatch(1);
    var endAgain = new CountDownLatch(1);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        keepOpen(limiter, accounts, end, executor);
        awaitRunning(limiter, 4);
        assertTimeout(Duration.ofSeconds(2), () -> sendShort(limiter));
        end.countDown();
        awaitRunning(limiter, 0);
        keepOpen(limiter, accounts, endAgain, executor);
        awaitRunning(limiter, 3);
        assertTimeout(Duration.ofSeconds(2), () -> sendShort(limiter));
      } finally {
        end.countDown();
        endAgain.countDown();
      }
    }
  }
}

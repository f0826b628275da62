package dev.cairn.platform;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Bounds the memory of bodies that are worked on at the same time. Who finds no room waits, and is
 * asked to come again when the wait gets long. Small bodies have a room of their own, so that they
 * never wait for large ones.
 *
 * <p>A parsed body takes up to 33 times its length (objects within objects), so the two rooms are
 * small parts of the heap. A body beyond the large room takes all of it: its number of values is
 * limited too.
 */
@Singleton
public class BodyMemory {
  private static final int SMALL = 64 * 1024;
  private static final int KIB = 1024;
  private static final int WAIT_SECONDS = 20;

  private final Room small = new Room(128);
  private final Room large = new Room(64);
  private final Room messages = new Room(64);

  BodyMemory(MeterRegistry metrics) {
    Gauge.builder(
            "cairn.bodies.waiting", () -> small.waiting() + large.waiting() + messages.waiting())
        .description("Bodies of requests that wait in this replica for room in its heap")
        .register(metrics);
  }

  /** A share of the heap, in KiB. */
  private static final class Room {
    private final int size;
    private final Semaphore free;

    Room(int share) {
      this.size = (int) Math.max(SMALL / KIB, Runtime.getRuntime().maxMemory() / share / KIB);
      this.free = new Semaphore(size, true);
    }

    <T> T within(long bytes, Supplier<T> work) {
      var release = hold(bytes);
      try {
        return work.get();
      } finally {
        release.run();
      }
    }

    Runnable hold(long bytes) {
      int kib = (int) Math.min(size, bytes / KIB + 1);
      if (!acquired(kib)) {
        throw Problem.of(ErrorCode.UNAVAILABLE, "Too many large requests at this moment.");
      }
      return () -> free.release(kib);
    }

    int waiting() {
      return free.getQueueLength();
    }

    private boolean acquired(int kib) {
      try {
        return free.tryAcquire(kib, WAIT_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  /**
   * Reads a body of at most 16 MiB to its end, and runs {@code work} with its bytes when there is
   * room for them. A body that is still arriving takes none of this room.
   */
  public <T> T read(InputStream body, Function<byte[], T> work) {
    try {
      var bytes = RequestBody.bytes(body, RequestLimits.MAX_BODY);
      var room = bytes.length < SMALL ? small : large;
      return room.within(
          bytes.length,
          () -> {
            RequestBody.release(body);
            return work.apply(bytes);
          });
    } finally {
      RequestBody.release(body);
    }
  }

  /**
   * Waits for room for a body that was read, for who works on it beyond a call; never within {@link
   * #read}.
   *
   * @return gives the room back; to be run once
   */
  public Runnable hold(long bytes) {
    return messages.hold(bytes);
  }
}

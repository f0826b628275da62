package dev.cairn.platform;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.time.Duration;
import java.util.UUID;
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
 * limited too. The bodies of one account, or of one network address without credentials, take at
 * most a quarter of a room, or are one body.
 */
@Singleton
public class BodyMemory {
  private static final int SMALL = 64 * 1024;
  private static final int KIB = 1024;
  private static final int SHARE_OF_OWNER = 4;
  private static final Duration WAIT = Duration.ofSeconds(20);

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
    private final Turns<String> owners;

    Room(int share) {
      this.size = (int) Math.max(SMALL / KIB, Runtime.getRuntime().maxMemory() / share / KIB);
      this.free = new Semaphore(size, true);
      this.owners = new Turns<>(Math.max(1, size / SHARE_OF_OWNER));
    }

    <T> T within(String owner, long bytes, Supplier<T> work) {
      var release = hold(owner, bytes);
      try {
        return work.get();
      } finally {
        release.run();
      }
    }

    Runnable hold(String owner, long bytes) {
      int kib = kib(bytes);
      var end = owners.begin(owner, kib, WAIT, Room::full);
      if (!acquired(kib)) {
        end.run();
        throw full();
      }
      return () -> {
        free.release(kib);
        end.run();
      };
    }

    private int kib(long bytes) {
      return (int) Math.min(size, bytes / KIB + 1);
    }

    private static Problem full() {
      return Problem.of(ErrorCode.UNAVAILABLE, "Too many large requests at this moment.");
    }

    int waiting() {
      return free.getQueueLength() + owners.waiting();
    }

    private boolean acquired(int kib) {
      try {
        return free.tryAcquire(kib, WAIT.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  /**
   * Reads a body of at most 16 MiB to its end and works with its bytes. Until the work is done they
   * count among those that arrive, and take none of this room.
   */
  public static <T> T read(InputStream body, Function<byte[], T> work) {
    try {
      return work.apply(RequestBody.bytes(body, RequestLimits.MAX_BODY));
    } finally {
      RequestBody.release(body);
    }
  }

  /**
   * Works on a body when there is room for what it is parsed to, and within the account's share.
   * The work must not wait long for others' locks: everyone else waits for this room meanwhile.
   */
  public <T> T within(UUID account, byte[] body, Supplier<T> work) {
    var room = body.length < SMALL ? small : large;
    return room.within(account.toString(), body.length, work);
  }

  /**
   * Waits for room for a body that was read and is worked on beyond a call, within the share of its
   * owner; never within {@link #within}.
   *
   * @return gives the room back; to be run once
   */
  public Runnable hold(ArrivingBody body) {
    return hold(body.owner(), body.length());
  }

  Runnable hold(String owner, long bytes) {
    return messages.hold(owner, bytes);
  }
}

package dev.cairn.platform;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.util.UUID;
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

  private final HeapRoom small = new HeapRoom(128);
  private final HeapRoom large = new HeapRoom(64);
  private final HeapRoom messages = new HeapRoom(64);

  BodyMemory(MeterRegistry metrics) {
    Gauge.builder(
            "cairn.bodies.waiting", () -> small.waiting() + large.waiting() + messages.waiting())
        .description("Bodies of requests that wait in this replica for room in its heap")
        .register(metrics);
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

package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.limiter.FairShare;
import dev.cairn.platform.limiter.KeyedLimiter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A share of the heap, counted in KiB, for work whose memory is known in advance. Work that finds
 * no room waits, and is refused after some time. One owner takes at most a quarter of the room,
 * with at most {@link #MAX_OF_OWNER} pieces of work. Owners that used little room recently come
 * first, and a quarter is reserved for them, so that a few owners, or many addresses of one
 * network, cannot take the whole room again and again. See {@code docs/limits.md}, Fair shares.
 */
final class HeapRoom {
  private static final int KIB = 1024;

  /** The part of the room that one owner may take, as its denominator. */
  static final int OWNER_FRACTION = 4;

  /** The part reserved for owners that used little room recently, as its denominator. */
  private static final int RESERVED_FRACTION = 4;

  /** How much work of one owner may run or wait; further work is refused at once. */
  static final int MAX_OF_OWNER = 256;

  private static final int RETRY_SECONDS = 2;
  private static final Duration MAX_WAIT = Duration.ofSeconds(20);

  /** For work that holds other room. */
  private static final Duration MAX_WAIT_FOR_MORE = Duration.ofSeconds(2);

  /** For work that holds a connection and locks too. */
  private static final Duration MAX_WAIT_WITH_LOCKS = Duration.ofMillis(200);

  private final int size;
  private final Duration wait;
  private final FairShare<String> all;
  private final KeyedLimiter<String> owners;

  /** A part of the heap. */
  HeapRoom(HeapShare share) {
    this(share, MAX_WAIT);
  }

  /** The same, with another time to wait for room. */
  HeapRoom(HeapShare share, Duration wait) {
    this((int) Math.min(Integer.MAX_VALUE, share.bytes() / KIB), wait);
  }

  /**
   * A room of a given size.
   *
   * @param size in KiB
   * @param wait how long to wait for room
   */
  HeapRoom(int size, Duration wait) {
    this.size = size;
    this.wait = wait;
    this.all = new FairShare<>(size, size / RESERVED_FRACTION, NetworkAddress::enclosing);
    this.owners = new KeyedLimiter<>(Math.max(1, size / OWNER_FRACTION), MAX_OF_OWNER);
  }

  <T> T within(String owner, long bytes, Supplier<T> work) {
    var release = hold(owner, bytes);
    try {
      return work.get();
    } finally {
      release.run();
    }
  }

  /**
   * Waits for room.
   *
   * @param bytes more bytes than the room has take the whole room
   * @return gives the room back; to be run once
   */
  Held hold(String owner, long bytes) {
    return hold(owner, kib(bytes), wait);
  }

  /** The same for work that holds other room, and waits at most two seconds. */
  Held holdBeside(String owner, long bytes) {
    return hold(
        owner, kib(bytes), wait.compareTo(MAX_WAIT_FOR_MORE) < 0 ? wait : MAX_WAIT_FOR_MORE);
  }

  /** The same for work that holds other room, a connection and locks, and waits at most 200 ms. */
  Held holdMore(String owner, long bytes) {
    return hold(owner, kib(bytes), MAX_WAIT_WITH_LOCKS);
  }

  private Held hold(String owner, int kib, Duration wait) {
    long deadline = System.nanoTime() + wait.toNanos();
    var end = owners.begin(owner, kib, wait, HeapRoom::full);
    if (!all.begin(owner, kib, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
      end.run();
      throw full();
    }
    return new Held(owner, kib, end);
  }

  /** Room that is held. Running it, once, releases the room. Not for concurrent use. */
  final class Held implements Runnable {
    private final String owner;
    private final KeyedLimiter<String>.Work ofOwner;
    private int held;

    private Held(String owner, int held, KeyedLimiter<String>.Work ofOwner) {
      this.owner = owner;
      this.held = held;
      this.ofOwner = ofOwner;
    }

    /** Releases what exceeds {@code bytes}. */
    void shrink(long bytes) {
      int less = Math.max(0, held - kib(bytes));
      held -= less;
      ofOwner.shrink(held);
      all.end(owner, less);
    }

    /**
     * Takes more. What holds room waits only briefly for more of it, since others may do the same.
     *
     * @param bytes how many it holds afterwards
     */
    void grow(long bytes) {
      grow(bytes, MAX_WAIT_FOR_MORE);
    }

    /** The same for work that holds a connection and locks, and waits at most 200 ms. */
    void growMore(long bytes) {
      grow(bytes, MAX_WAIT_WITH_LOCKS);
    }

    /** The same for such work that waits as long as any other. */
    void growPatiently(long bytes) {
      grow(bytes, wait);
    }

    private void grow(long bytes, Duration wait) {
      int more = kib(bytes) - held;
      if (more <= 0) {
        return;
      }
      int before = held;
      if (!ofOwner.grow(held + more, wait)) {
        throw full();
      }
      if (!all.tryMore(owner, more) && !all.begin(owner, more, wait)) {
        ofOwner.shrink(before);
        throw full();
      }
      held += more;
    }

    @Override
    public void run() {
      all.end(owner, held);
      ofOwner.run();
    }
  }

  /**
   * Takes room within the share of the owner, if more than half of the room is free and no other
   * work waits: the rest is left to waiting work.
   *
   * @return gives the room back; to be run once
   */
  synchronized Optional<Runnable> tryHold(String owner, long bytes) {
    if (all.free() <= size / 2) {
      return Optional.empty();
    }
    try {
      return Optional.of(hold(owner, kib(bytes), Duration.ZERO));
    } catch (Problem _) {
      return Optional.empty();
    }
  }

  /** How much of the room is taken, in bytes. */
  long used() {
    return (long) (size - all.free()) * KIB;
  }

  /** The size of the room in bytes. */
  long size() {
    return (long) size * KIB;
  }

  private int kib(long bytes) {
    return (int) Math.min(size, bytes / KIB + 1);
  }

  private static Problem full() {
    return Problem.of(ErrorCode.UNAVAILABLE, "Too many large requests at this moment.")
        .with("retryAfter", RETRY_SECONDS);
  }

  int waiting() {
    return all.waiting() + owners.waiting();
  }
}

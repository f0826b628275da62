package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Bounds the memory of bodies that are worked on at the same time, by what they take when they are
 * parsed ({@link ParsedSize}). A body that finds no room waits, and is refused when the wait gets
 * long. The bodies of one account, or of one network address without credentials, take at most a
 * quarter of a room, or are one body.
 *
 * <p>Commits take their room when it is their turn. Messages of MCP and all other bodies hold their
 * room until the answer; those without credentials have rooms of their own, and those that are
 * parsed to very little take none. Small bodies have rooms of their own everywhere, so that they
 * never wait for large ones.
 */
@Singleton
public class BodyMemory {
  private static final int SMALL = 512 * 1024;

  /** No more than a request itself takes; such a body waits for no other one. */
  private static final int NEGLIGIBLE = 8 * 1024;

  private static final int MIB = 1024 * 1024;

  private final HeapRoom small = new HeapRoom(HeapShare.SMALL_BODIES);
  private final HeapRoom large = new HeapRoom(HeapShare.LARGE_BODIES);
  private final HeapRoom accounts = new HeapRoom(HeapShare.BODIES_OF_ACCOUNTS);
  private final HeapRoom anonymous = new HeapRoom(HeapShare.BODIES_OF_ANONYMOUS);
  private final HeapRoom largeOfAccounts = new HeapRoom(HeapShare.LARGE_BODIES_OF_ACCOUNTS);
  private final HeapRoom largeOfAnonymous = new HeapRoom(HeapShare.LARGE_BODIES_OF_ANONYMOUS);

  BodyMemory(MeterRegistry metrics) {
    Gauge.builder("cairn.bodies.waiting", this::waiting)
        .description("Bodies of requests that wait in this replica for room in its heap")
        .register(metrics);
  }

  /**
   * Works on a body when there is room for what it is parsed to, and within the account's share.
   * The work must not wait long for others' locks: everyone else waits for this room meanwhile.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it takes more than the room
   */
  public <T> T within(UUID account, byte[] body, Supplier<T> work) {
    long size = ParsedSize.of(body);
    requireFitting(size, large.size());
    return (size < SMALL ? small : large).within(account.toString(), size, work);
  }

  /** Whether a body is parsed to so little that it needs no room. */
  public static boolean isNegligible(byte[] body) {
    return body.length <= NEGLIGIBLE && ParsedSize.of(body) <= NEGLIGIBLE;
  }

  static void requireFitting(long size, long room) {
    if (size > room) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "Parsed, the body would take about %,d MiB of memory, and on this server it may take %,d."
                  .formatted(size / MIB, room / MIB))
          .hint("Send fewer operations in a commit, or fewer and longer values.");
    }
  }

  /**
   * Waits for room for a body that has come whole, within the share of its owner; never within
   * {@link #within}, nor in a transaction.
   *
   * @param maxValues a body with more values is refused when it is parsed
   * @return gives the room back; to be run once
   */
  public Runnable hold(ArrivingBody body, int maxValues) {
    long size = body.parsedSize(maxValues);
    return size <= NEGLIGIBLE ? () -> {} : hold(body.owner(), size);
  }

  int waiting() {
    return Stream.of(small, large, accounts, anonymous, largeOfAccounts, largeOfAnonymous)
        .mapToInt(HeapRoom::waiting)
        .sum();
  }

  Runnable hold(ArrivalRoom.Owner owner, long bytes) {
    var room =
        owner.isAnonymous()
            ? bytes < SMALL ? anonymous : largeOfAnonymous
            : bytes < SMALL ? accounts : largeOfAccounts;
    return room.hold(owner.name(), bytes);
  }
}

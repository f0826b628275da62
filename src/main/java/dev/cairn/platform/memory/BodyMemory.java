package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Bounds the memory of bodies that are processed at the same time, by their parsed size ({@link
 * ParsedSize}). A body that finds no room waits, and is refused after some time. The bodies of one
 * account, or of one network address without credentials, take at most a quarter of a room, unless
 * it is a single body.
 *
 * <p>Commits take their room when it is their turn. MCP messages and all other bodies hold their
 * room until the answer. Bodies without credentials have rooms of their own, and bodies with a very
 * small parsed size need no room. Small bodies always have separate rooms, so that they never wait
 * for large ones.
 */
@Singleton
public class BodyMemory {
  /** From this size on, a parsed body takes its memory from the room for large bodies. */
  private static final int MIN_LARGE_BYTES = 512 * 1024;

  /** A parsed size that is at most that of a request itself, for which no room is needed. */
  private static final int MAX_NEGLIGIBLE_BYTES = 8 * 1024;

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
    Gauge.builder("cairn.bodies.bytes", this::bytes)
        .baseUnit("bytes")
        .description("Heap that the bodies that are processed in this replica may take, parsed")
        .register(metrics);
  }

  /**
   * Works on a body when there is room for its parsed size, within the share of the account. The
   * work must not wait long for locks of others, since further bodies wait for this room meanwhile.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it needs more than the whole room
   */
  public <T> T within(UUID account, byte[] body, Supplier<T> work) {
    long size = ParsedSize.of(body);
    requireFitting(size);
    return (size < MIN_LARGE_BYTES ? small : large).within(account.toString(), size, work);
  }

  /**
   * Waits for room for bodies that are worked on one after another, within the share of the
   * account.
   *
   * @param size the parsed size of the largest
   * @return to be closed
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it needs more than the whole room
   */
  public Bodies hold(UUID account, long size) {
    requireFitting(size);
    var room = size < MIN_LARGE_BYTES ? small : large;
    return new Bodies(room.hold(account.toString(), size));
  }

  /** Room for bodies that are worked on one after another. Not for concurrent use. */
  public static final class Bodies implements AutoCloseable {
    private final HeapRoom.Held held;

    private Bodies(HeapRoom.Held held) {
      this.held = held;
    }

    /**
     * Holds another size from now on: of the largest body that is still to come. More is taken only
     * to begin anew, and waited for at most two seconds.
     *
     * @throws Problem {@code UNAVAILABLE} if there is no room for more at this moment
     */
    public void resize(long size) {
      held.grow(size);
      held.shrink(size);
    }

    @Override
    public void close() {
      held.run();
    }
  }

  /** About how much memory a parsed body takes, in bytes. */
  public static long parsedSize(byte[] body) {
    return ParsedSize.of(body);
  }

  /**
   * Requires that a body can ever be parsed here.
   *
   * @param size its parsed size
   * @throws Problem {@code PAYLOAD_TOO_LARGE} otherwise
   */
  public void requireFitting(long size) {
    requireFitting(size, large.size());
  }

  /** Whether the parsed size of a body is so small that it needs no room. */
  public static boolean isNegligible(byte[] body) {
    return body.length <= MAX_NEGLIGIBLE_BYTES && ParsedSize.of(body) <= MAX_NEGLIGIBLE_BYTES;
  }

  /** Room for what the work on a body of this account turns out to need. */
  public Extra extra(UUID account, byte[] body) {
    return new Extra(account, body, false);
  }

  /**
   * The same for work that waits for room as long as others do, with its connection and locks: it
   * has done so much that it must not be given up for a moment without room.
   */
  public Extra patientExtra(UUID account, byte[] body) {
    return new Extra(account, body, true);
  }

  /**
   * Room for data that work on a body reads from the database, besides that of the body. It waits
   * at most 200 ms for room, since it may hold a connection and locks, unless it is patient. What
   * an account reads has a share of its own: otherwise a body that takes the whole share of its
   * account would wait for itself. Not for concurrent use.
   */
  public final class Extra {
    private final String owner;
    private final byte[] body;
    private final boolean isPatient;
    private long bytes;
    private long sizeOfBody = -1;
    private HeapRoom room;
    private HeapRoom.Held held;
    private Problem refusal;

    private Extra(UUID account, byte[] body, boolean isPatient) {
      this.isPatient = isPatient;
      this.owner = account + " reads";
      this.body = body;
    }

    /**
     * Takes room for more bytes. A very small sum needs none. After a refusal, all further requests
     * are refused at once.
     *
     * @throws Problem {@code PAYLOAD_TOO_LARGE} if it can never fit beside the body, {@code
     *     UNAVAILABLE} if there is no room at this moment
     */
    public void add(long more) {
      add(more, true);
    }

    /**
     * The same for an answer that was given before: never {@code PAYLOAD_TOO_LARGE}, since the body
     * was not too large for it then.
     */
    public void addAnswer(long more) {
      add(more, false);
    }

    private void add(long more, boolean mustFit) {
      if (refusal != null) {
        throw refusal;
      }
      bytes += more;
      if (bytes <= MAX_NEGLIGIBLE_BYTES) {
        return;
      }
      try {
        take(mustFit);
      } catch (Problem e) {
        refusal = e;
        throw e;
      }
    }

    private void take(boolean mustFit) {
      if (mustFit) {
        if (sizeOfBody < 0) {
          sizeOfBody = ParsedSize.of(body);
        }
        requireFitting((sizeOfBody < MIN_LARGE_BYTES ? 0 : sizeOfBody) + bytes, large.size());
      }
      var next = bytes < MIN_LARGE_BYTES ? small : large;
      if (next == room) {
        grow();
      } else {
        releaseHeld();
        held = isPatient ? next.hold(owner, bytes) : next.holdMore(owner, bytes);
        room = next;
      }
    }

    private void grow() {
      if (isPatient) {
        held.growPatiently(bytes);
      } else {
        held.growMore(bytes);
      }
    }

    /** The same for JSON that is parsed. */
    public void addParsed(String json) {
      add(ParsedSize.of(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** Gives all room back. It may be used again. */
    public void release() {
      bytes = 0;
      refusal = null;
      releaseHeld();
    }

    private void releaseHeld() {
      if (held != null) {
        held.run();
        held = null;
        room = null;
      }
    }
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
   * Waits for room for a complete body, within the share of its owner. Must not be called within
   * {@link #within} or in a transaction.
   *
   * @param maxValues a body with more values is refused when it is parsed
   * @return releases the room; must be run once
   */
  public Runnable hold(ArrivingBody body, int maxValues) {
    long size = body.parsedSize(maxValues);
    return size <= MAX_NEGLIGIBLE_BYTES ? () -> {} : hold(body.owner(), size);
  }

  int waiting() {
    return rooms().mapToInt(HeapRoom::waiting).sum();
  }

  private long bytes() {
    return rooms().mapToLong(HeapRoom::used).sum();
  }

  private Stream<HeapRoom> rooms() {
    return Stream.of(small, large, accounts, anonymous, largeOfAccounts, largeOfAnonymous);
  }

  Runnable hold(ArrivalRoom.Owner owner, long bytes) {
    var room =
        owner.isAnonymous()
            ? bytes < MIN_LARGE_BYTES ? anonymous : largeOfAnonymous
            : bytes < MIN_LARGE_BYTES ? accounts : largeOfAccounts;
    return room.hold(owner.name(), bytes);
  }
}

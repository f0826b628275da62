package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.limiter.FairShare;
import dev.cairn.platform.memory.ArrivalRoom.Arrival;
import dev.cairn.platform.memory.ArrivalRoom.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What the arrivals in an {@link ArrivalRoom} hold, and how much they may hold: all together, large
 * ones, those without credentials, and those of one owner. Only the room calls it, under its lock.
 */
final class ArrivalBounds {
  /** The part of the room that one owner may take, as its denominator. */
  private static final int OWNER_FRACTION = 4;

  /** The part of the room that large requests leave to small ones, as its denominator. */
  private static final int SMALL_REQUEST_FRACTION = 8;

  /** The part of the room that is reserved for owners that hold less, as its denominator. */
  private static final int RESERVED_FRACTION = 8;

  /** The part of the room for all requests without credentials together, as its denominator. */
  private static final int ANONYMOUS_FRACTION = 2;

  /** What these keep of a full room before bodies of accounts are ended, as its denominator. */
  private static final int KEPT_BY_ANONYMOUS_FRACTION = 4;

  private final long size;
  private final long share;
  private final long sizeForLarge;
  private final long sizeForAnonymous;
  private final long sizeForAccounts;
  private final long reserved;
  private final HeldBytes bytes = new HeldBytes();

  /** Of these, the bytes of bodies. */
  private final HeldBytes bodies = new HeldBytes();

  /** Of these, the bytes of bodies that have come whole. */
  private final HeldBytes whole = new HeldBytes();

  /**
   * An empty room.
   *
   * @param size in bytes
   * @param largest the size of the largest request, which one owner may send unless that is more
   *     than half of the room
   */
  ArrivalBounds(long size, long largest) {
    this.size = size;
    this.share = Math.max(size / OWNER_FRACTION, Math.min(size / 2, largest));
    this.sizeForLarge = size - size / SMALL_REQUEST_FRACTION;
    this.sizeForAnonymous = size / ANONYMOUS_FRACTION;
    this.sizeForAccounts = size - size / KEPT_BY_ANONYMOUS_FRACTION;
    this.reserved = size / RESERVED_FRACTION;
  }

  /**
   * What some of the arrivals may hold together.
   *
   * @param used what they hold, in bytes
   * @param refusal what the clients of those are told that are ended for it
   */
  record Bound(LongSupplier used, long max, Predicate<Arrival> among, Supplier<Problem> refusal) {
    private Bound(LongSupplier used, long max, Predicate<Arrival> among) {
      this(used, max, among, ArrivalBounds::noRoom);
    }

    /** How much more they hold than they may; not positive if the bound is kept. */
    long excess() {
      return used.getAsLong() - max;
    }
  }

  /** Counts further bytes of an arrival, or fewer if the number is negative. */
  void hold(Arrival arrival, long count) {
    bytes.change(arrival.owner, arrival.held, count);
    if (arrival.isBody()) {
      bodies.change(arrival.owner, arrival.held, count);
    }
    if (arrival.isWhole) {
      whole.change(arrival.owner, arrival.held, count);
    }
    arrival.held += count;
  }

  /** Counts a body as one that has come whole. */
  void complete(Arrival body) {
    whole.change(body.owner, 0, body.held);
    body.isWhole = true;
  }

  /** Counts a body that has come whole as one that is still arriving. */
  void reopen(Arrival body) {
    whole.change(body.owner, body.held, -body.held);
    body.isWhole = false;
  }

  /** How many bytes all arrivals hold. */
  long held() {
    return bytes.all();
  }

  /** How many bytes the arrivals of an owner hold. */
  long heldBy(Owner owner) {
    return bytes.of(owner);
  }

  /**
   * Whether an empty room, in its part for large ones that is not reserved, has room for a number
   * of bytes.
   */
  boolean canEverHold(long count) {
    return count <= sizeForLarge - reserved;
  }

  /** The bound on the owner of an arrival. */
  Bound ofOwner(Arrival arrival) {
    return ofOwner(arrival, share);
  }

  private Bound ofOwner(Arrival arrival, long max) {
    return new Bound(() -> bytes.of(arrival.owner), max, arrival::hasSameOwner);
  }

  /** The bounds that an arrival adds to. */
  List<Bound> of(Arrival arrival) {
    return of(arrival, share);
  }

  /**
   * The bounds that a body adds to with what is made of it: the share of its owner is for what
   * bodies take as they were sent, so a single one may have more.
   */
  List<Bound> ofGrown(Arrival body) {
    return of(body, Math.max(share, body.held));
  }

  private List<Bound> of(Arrival arrival, long shareOfOwner) {
    var bounds = new ArrayList<Bound>();
    bounds.add(ofOwner(arrival, shareOfOwner));
    if (arrival.isBody()) {
      bounds.add(fairShare(arrival));
    }
    bounds.add(new Bound(bytes::large, sizeForLarge, Arrival::isLarge));
    bounds.add(new Bound(bytes::anonymous, sizeForAnonymous, Arrival::isAnonymous));
    bounds.add(new Bound(this::usedWithShareOfAccounts, size, Arrival::isAnonymous));
    bounds.add(new Bound(bytes::all, size, _ -> true));
    return bounds;
  }

  /**
   * What would be used if bodies of accounts took all that is theirs in a full room, at most what
   * is used: a fresh head always has more progress than an upload, so strangers give way first.
   */
  private long usedWithShareOfAccounts() {
    return Math.min(bytes.all(), sizeForAccounts + bytes.anonymous());
  }

  /**
   * What the owner of a body may hold by the rule of {@link FairShare}: a body leaves as much free
   * as the owner's other bodies hold, and no less than the reserved part, or than the owner holds
   * if that is less. So an owner that is alone gets about half, and one that holds little finds
   * room beside any few owners. Small and large bodies of one owner count each by themselves. Free
   * is what no body that has come whole takes: all others can be ended.
   */
  private Bound fairShare(Arrival body) {
    boolean isLarge = body.isLarge();
    long free = size - whole.all();
    if (isLarge) {
      free = Math.min(free, sizeForLarge - whole.large());
    }
    if (body.isAnonymous()) {
      free = Math.min(free, sizeForAnonymous - whole.anonymous());
    }
    return new Bound(
        () -> {
          long held = bodies.of(body.owner, isLarge);
          return held + Math.max(held - body.held, Math.min(held, reserved));
        },
        free + whole.of(body.owner, isLarge),
        other -> other.isBody() && other.hasSameOwner(body) && other.isLarge() == isLarge,
        ArrivalBounds::noFairShare);
  }

  private static Problem noRoom() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many requests are arriving at this moment, and this one made the least progress.");
  }

  private static Problem noFairShare() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Your other requests that are arriving or waiting use the memory that one caller may use at present: wait for some of their answers, or try again.");
  }
}

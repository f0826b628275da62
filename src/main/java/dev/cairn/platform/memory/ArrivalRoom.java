package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
import dev.cairn.platform.memory.ArrivalBounds.Bound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Counts the bytes of requests that are arriving or wait for their answers, and bounds them: all
 * together, and those of one owner, which is a network address for heads, and an account, if there
 * is one, for bodies. Of a body, the bytes that have come are counted, and before it is used what
 * may have been read of it ({@link #beginRequest}). When the room is full, the arrivals that made
 * the least progress in the last seconds, for what their owners hold and recently sent in vain
 * ({@link WastedBytes}), are ended, as many as it takes and a few more; a body that has come whole
 * is ended only with its request, and not once it is used. Large ones never take the whole room, so
 * that small ones still arrive; and heads and bodies of network addresses take half of it, however
 * many addresses they come from, so that bodies of accounts still arrive. In a full room these give
 * way first, down to a quarter of it.
 *
 * <p>Bodies that have come whole cannot be ended for others, so each owner leaves a part of the
 * room free of them ({@link ArrivalBounds}): a few owners cannot fill it with bodies that wait.
 *
 * <p>An arrival that is slower than the minimum rate on average, or that takes too long in all, is
 * ended whatever the room.
 */
final class ArrivalRoom {
  /** The minimum rate applies after this time, so that a network may stall for a moment. */
  static final int GRACE_SECONDS = 30;

  /** A header of four bytes, the shortest, takes about this many times its length. */
  private static final int WEIGHT_OF_HEADS = 30;

  /** The part of a full room that is freed at once, since each search compares all arrivals. */
  private static final int FREED_AT_ONCE = 32;

  private final ArrivalBounds bounds;
  private final Pace pace;
  private final LongSupplier nanos;

  private final Set<Arrival> arrivals = new LinkedHashSet<>();
  private final WastedBytes wasted = new WastedBytes();
  private long ended;

  /**
   * How fast a request must arrive.
   *
   * @param bytesPerSecond the average after {@link #GRACE_SECONDS}
   * @param seconds the maximum time for the whole request
   */
  record Pace(int bytesPerSecond, int seconds) {}

  /**
   * The owner whose share a request takes.
   *
   * @param name of the account, or of the network if there is none
   * @param isAnonymous whether it is a network of which no account is known
   */
  record Owner(String name, boolean isAnonymous) {
    static Owner account(String name) {
      return new Owner("account:" + name, false);
    }

    static Owner network(String address) {
      return new Owner("address:" + address, true);
    }
  }

  /**
   * An empty room.
   *
   * @param size in bytes
   * @param largest the size of the largest request, which one owner may send unless that is more
   *     than half of the room
   * @param nanos a clock
   */
  ArrivalRoom(long size, long largest, Pace pace, LongSupplier nanos) {
    this.bounds = new ArrivalBounds(size, largest);
    this.pace = pace;
    this.nanos = nanos;
  }

  /** A request, or the head of one, that has begun to arrive. */
  final class Arrival {
    /** A request is its network's, but without accounts only until it has the body of one. */
    Owner owner;

    private final Consumer<Problem> onEnd;
    private final BooleanSupplier isPaced;
    private final int weight;
    private final long began = nanos.getAsLong();
    long held;

    /** The part of the count that is not the head, but what may have been read of the body. */
    private long unread;

    /** If this is a body, its request, which is ended together with it; otherwise null. */
    private Arrival request;

    /** Whether it is a request that has come, and waits for its body or its answer. */
    private boolean isRequest;

    /** Whether it can only be ended together with its body. */
    private boolean hasBodyArriving;

    /** The body of this request, if it has arrived completely; otherwise null. */
    private Arrival wholeBody;

    /** Whether its bytes are in use, so that they are in memory even if it is ended. */
    private boolean isInUse;

    /** Whether it may take any time to arrive, and be slow. */
    private boolean mayBeSlow;

    private final ArrivalProgress progress = new ArrivalProgress(began);
    boolean isWhole;

    private Arrival(Owner owner, Consumer<Problem> onEnd, BooleanSupplier isPaced, int weight) {
      this.owner = owner;
      this.onEnd = onEnd;
      this.isPaced = isPaced;
      this.weight = weight;
    }

    /** Counts bytes that have arrived; false if this arrival was ended, now or before. */
    boolean take(int count) {
      return ArrivalRoom.this.take(this, count);
    }

    /**
     * Says that all has come. The bytes count on, and it is ended with its request only.
     *
     * @return false if it was ended before
     */
    boolean complete() {
      synchronized (ArrivalRoom.this) {
        boolean isCounted = arrivals.contains(this);
        if (isCounted && !isWhole) {
          bounds.complete(this);
          if (request != null) {
            request.wholeBody = this;
          }
        }
        leaveRequest();
        return isCounted;
      }
    }

    /**
     * Says that what has come is used from now on: it counts until {@link #release}, also if its
     * request is ended.
     *
     * @return false if it was ended with its request before
     */
    boolean use() {
      synchronized (ArrivalRoom.this) {
        isInUse = true;
        return arrivals.contains(this);
      }
    }

    /**
     * Counts further bytes of a body in use before they are made of it. Bodies and heads that are
     * still arriving, of its owner or of owners that hold more, are ended for them as for {@link
     * #take}; but if that does not give enough room, nobody is.
     *
     * @return false if there is no room; nothing more is counted then
     */
    boolean grow(int count) {
      return ArrivalRoom.this.grow(this, count);
    }

    /**
     * Whether there would be room for further bytes in an empty room, in its part for large ones
     * that is not reserved.
     */
    boolean canEverGrow(int count) {
      return bounds.canEverHold(held + count);
    }

    /** Whether there is room for further bytes without ending anything. */
    boolean fits(int count) {
      return ArrivalRoom.this.fits(this, count);
    }

    /**
     * Says that what it holds is used: until {@link #endUse}, it counts as a body that has come
     * whole, and neither it nor its request is ended.
     *
     * @return false if it was ended before; nothing changes then
     */
    boolean beginUse() {
      synchronized (ArrivalRoom.this) {
        boolean isCounted = arrivals.contains(this);
        if (isCounted && !isWhole) {
          bounds.complete(this);
        }
        return isCounted;
      }
    }

    /** Says that what it holds is not used any longer, and more may come. */
    void endUse() {
      synchronized (ArrivalRoom.this) {
        if (isWhole) {
          bounds.reopen(this);
        }
      }
    }

    /** Releases what exceeds {@code count} bytes, which is no longer in memory. */
    void shrink(long count) {
      synchronized (ArrivalRoom.this) {
        bounds.hold(this, Math.min(0, count - held));
      }
    }

    private void leaveRequest() {
      if (request != null) {
        request.hasBodyArriving = false;
        request = null;
      }
    }

    private boolean canBeEnded() {
      return !isWhole && !hasBodyArriving && held + heldByRequest() > 0;
    }

    private long heldByRequest() {
      return request == null ? 0 : request.held;
    }

    private long heldAmong(Predicate<Arrival> some) {
      return (some.test(this) ? held : 0)
          + (request != null && some.test(request) ? request.held : 0);
    }

    private boolean isOrHasRequest(Predicate<Arrival> condition) {
      return condition.test(this) || (request != null && condition.test(request));
    }

    /** Releases its room; must be called at least once. */
    void release() {
      synchronized (ArrivalRoom.this) {
        leaveRequest();
        remove(this);
      }
    }

    boolean isLarge() {
      return HeldBytes.isLarge(held);
    }

    boolean isBody() {
      return !isRequest && weight == 1;
    }

    boolean isAnonymous() {
      return owner.isAnonymous();
    }

    boolean hasSameOwner(Arrival other) {
      return other.owner.equals(owner);
    }

    /** The rate; if it waits for the service, that of a small request that has just arrived. */
    private double rate(long now) {
      return isPaced.getAsBoolean() ? progress.rate(now) : ArrivalProgress.rateOfSmall();
    }

    private boolean isTooSlow(long now) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(now - began);
      return !isWhole
          && !mayBeSlow
          && isPaced.getAsBoolean()
          && (seconds >= pace.seconds
              || (seconds >= GRACE_SECONDS
                  && held / weight < (seconds - GRACE_SECONDS) * pace.bytesPerSecond));
    }
  }

  /**
   * Begins to count.
   *
   * @param owner whose share it takes
   * @param onEnd called once, on any thread, if this arrival is ended, with what its client is told
   */
  Arrival begin(Owner owner, Consumer<Problem> onEnd) {
    return begin(new Arrival(owner, onEnd, () -> true, 1));
  }

  /**
   * The same for a head, which takes many times its length, and may wait for the service.
   *
   * @param isPaced whether it is its client that makes it wait
   */
  Arrival beginHead(Owner owner, Consumer<Problem> onEnd, BooleanSupplier isPaced) {
    return begin(new Arrival(owner, onEnd, isPaced, WEIGHT_OF_HEADS));
  }

  /**
   * Begins to count a request whose head has come, until it is answered.
   *
   * @param head what it takes in memory, in bytes
   * @param unread what may have been read of its body, which counts until {@link #beginBody}
   * @return empty if there is no room for it; it was ended then
   */
  Optional<Arrival> beginRequest(Owner owner, int head, int unread, Consumer<Problem> onEnd) {
    var request = begin(new Arrival(owner, onEnd, () -> false, 1));
    request.isRequest = true;
    request.unread = unread;
    return take(request, head + unread) ? Optional.of(request) : Optional.empty();
  }

  /**
   * Begins to count the body of a request. If its owner is an account, the request takes no room of
   * those without credentials from then on, and is not ended for them; but the requests of its
   * network with bodies of accounts have a share of their own, and some may be ended for it.
   *
   * @param request may be null
   */
  Arrival beginBody(Owner owner, Arrival request, Consumer<Problem> onEnd) {
    List<Runnable> slowest = List.of();
    Arrival body;
    synchronized (this) {
      body = begin(owner, onEnd);
      if (request != null && arrivals.contains(request)) {
        long head = request.held - request.unread;
        bounds.hold(request, -request.held);
        request.owner = new Owner(request.owner.name, owner.isAnonymous);
        request.unread = 0;
        bounds.hold(request, head);
        request.hasBodyArriving = true;
        body.request = request;
        slowest =
            makeRoom(List.of(bounds.ofOwner(request)), nanos.getAsLong(), other -> other != body);
      }
    }
    slowest.forEach(Runnable::run);
    return body;
  }

  /**
   * The same for what is kept of a body that is read part by part: it may arrive as slowly as its
   * client likes, but is among the first that are ended when the room is full.
   */
  Arrival beginParts(Owner owner, Arrival request, Consumer<Problem> onEnd) {
    var parts = beginBody(owner, request, onEnd);
    parts.mayBeSlow = true;
    return parts;
  }

  private synchronized Arrival begin(Arrival arrival) {
    arrivals.add(arrival);
    return arrival;
  }

  private boolean take(Arrival arrival, int count) {
    List<Runnable> slowest;
    boolean stays;
    synchronized (this) {
      if (!arrivals.contains(arrival)) {
        return false;
      }
      long now = nanos.getAsLong();
      bounds.hold(arrival, (long) count * arrival.weight);
      arrival.progress.add(count, now);
      slowest = makeRoom(bounds.of(arrival), now, _ -> true);
      stays = arrivals.contains(arrival);
    }
    slowest.forEach(Runnable::run);
    return stays;
  }

  private boolean grow(Arrival arrival, int count) {
    List<Runnable> slowest = List.of();
    boolean hasRoom;
    synchronized (this) {
      if (!arrivals.contains(arrival)) {
        return false;
      }
      bounds.hold(arrival, count);
      var grown = bounds.ofGrown(arrival);
      Predicate<Arrival> weaker = other -> isWeaker(other, arrival);
      hasRoom = grown.stream().allMatch(bound -> canBeKept(bound, weaker));
      if (hasRoom) {
        slowest = makeRoom(grown, nanos.getAsLong(), weaker);
      } else {
        bounds.hold(arrival, -count);
      }
    }
    slowest.forEach(Runnable::run);
    return hasRoom;
  }

  private synchronized boolean fits(Arrival arrival, int count) {
    bounds.hold(arrival, count);
    boolean fits = bounds.of(arrival).stream().allMatch(bound -> bound.excess() <= 0);
    bounds.hold(arrival, -count);
    return fits;
  }

  /** Whether an arrival may be ended for one that grows. */
  private boolean isWeaker(Arrival other, Arrival growing) {
    return !other.isRequest
        && (other.hasSameOwner(growing)
            || bounds.heldBy(other.owner) > bounds.heldBy(growing.owner));
  }

  /** Whether a bound is kept, or can be by ending some others. */
  private boolean canBeKept(Bound bound, Predicate<Arrival> some) {
    long excess = bound.excess();
    return excess <= 0
        || excess
            <= arrivals.stream()
                .filter(some.and(Arrival::canBeEnded))
                .mapToLong(other -> other.heldAmong(bound.among()))
                .sum();
  }

  /**
   * Ends arrivals until all bounds are kept.
   *
   * @return tells their clients; to be run without the lock
   */
  private List<Runnable> makeRoom(List<Bound> exceeded, long now, Predicate<Arrival> some) {
    var removed = new ArrayList<Runnable>();
    exceeded.forEach(bound -> removeSlowest(removed, now, bound, some));
    ended += removed.size();
    return removed;
  }

  /**
   * A body is its account's, but the head before it is its network's. What its owner sent in vain
   * counts too, so that a burst that is repeated again and again gives way to steady progress. At
   * least 1.
   */
  private double ownedWithRequest(Arrival arrival, long now) {
    long ofRequest = arrival.request == null ? 0 : bounds.heldBy(arrival.request.owner);
    return Math.max(1, bounds.heldBy(arrival.owner) + ofRequest + wasted.of(arrival.owner, now));
  }

  /**
   * Removes the arrivals of least merit if the bound is exceeded, until a part of the bound is
   * free: ranking all of them for each arrival of a flood would take too much processor time.
   */
  private void removeSlowest(
      List<Runnable> removed, long now, Bound bound, Predicate<Arrival> some) {
    if (bound.excess() <= 0) {
      return;
    }
    var slowest = new PriorityQueue<>(Ranked.LEAST_FIRST);
    arrivals.stream()
        .filter(some)
        .filter(other -> other.canBeEnded() && other.isOrHasRequest(bound.among()))
        .map(other -> new Ranked(other, other.rate(now) / ownedWithRequest(other, now)))
        .forEach(slowest::add);
    long toFree = bound.max() / FREED_AT_ONCE;
    while (bound.excess() > -toFree && !slowest.isEmpty()) {
      var next = slowest.poll().arrival;
      end(next);
      removed.add(() -> next.onEnd.accept(bound.refusal().get()));
    }
  }

  /**
   * The order in which arrivals are ended; of two with equal merit, the older one is first.
   *
   * @param merit the rate, the less the more its owner has: a flood gives way to a single client
   */
  private record Ranked(Arrival arrival, double merit) {
    private static final Comparator<Ranked> LEAST_FIRST =
        Comparator.comparingDouble(Ranked::merit).thenComparingLong(ranked -> ranked.arrival.began);
  }

  private void end(Arrival arrival) {
    if (arrival.request != null) {
      remove(arrival.request);
    }
    if (arrival.wholeBody != null && !arrival.wholeBody.isInUse) {
      // It is dropped with its connection. It is counted as free now, or others would be ended too.
      remove(arrival.wholeBody);
    }
    remove(arrival);
  }

  private void remove(Arrival arrival) {
    if (arrivals.remove(arrival)) {
      if (arrival.isBody() && !arrival.isWhole) {
        wasted.add(arrival.owner, arrival.held, nanos.getAsLong());
      }
      bounds.hold(arrival, -arrival.held);
    }
  }

  /** Ends the arrivals that are too slow. */
  void endTooSlow() {
    List<Arrival> slow;
    synchronized (this) {
      long now = nanos.getAsLong();
      slow = arrivals.stream().filter(arrival -> arrival.isTooSlow(now)).toList();
      slow.forEach(this::end);
      ended += slow.size();
    }
    slow.forEach(arrival -> arrival.onEnd.accept(tooSlow()));
  }

  private Problem tooSlow() {
    return Problem.invalid(
        "",
        "The body arrived too slowly: after %d seconds it must have come with %d bytes a second on average, and whole within %d seconds."
            .formatted(GRACE_SECONDS, pace.bytesPerSecond, pace.seconds));
  }

  /** How many bytes are counted. */
  synchronized long bytes() {
    return bounds.held();
  }

  /** How many requests are counted. */
  synchronized int count() {
    return arrivals.size();
  }

  /** How many requests were ended since the start. */
  synchronized long ended() {
    return ended;
  }
}

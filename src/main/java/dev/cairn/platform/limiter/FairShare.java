package dev.cairn.platform.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Limits how much work for all keys together may be under way: each piece takes one place, or as
 * many as it weighs. A key with much work under way may not begin more than what then stays free:
 * one that has {@code n} under way begins the next only while more than {@code n} are free. So a
 * key that is alone gets about half, and a few keys with slow work leave some free. Of the keys
 * that wait, those with the least work under way come first, among them those that used the least
 * time recently, and then those that came first. One whose turn it is, and which only waits until
 * enough places are free, lets no other begin before it: so heavy work gets its places too.
 *
 * <p>Some places can be reserved for keys that used little time recently: without them, as many
 * keys as there are places could take all of them with slow work, again and again. Keys can belong
 * to groups: then the group with the least comes first, and in it the key with the least; what is
 * reserved is for groups that used little time. See {@code docs/limits.md}, Fair shares.
 */
public final class FairShare<K> {
  /** How long used time counts, on average, by default. */
  private static final Duration DEFAULT_DECAY_TIME = Duration.ofSeconds(15);

  /** If a key has no work under way, less used time of one place than this counts as none. */
  private static final double NEGLIGIBLE_SECONDS = 0.005;

  /** The places for {@code NEGLIGIBLE_SECONDS}: of more, proportionally more time is negligible. */
  private static final int PLACES_OF_NEGLIGIBLE_SECONDS = 100;

  /** How often it is checked whether a key that waits may begin because time has passed. */
  private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final int places;
  private final int reserved;
  private final double memorySeconds;
  private final double secondsToBegin;
  private final boolean isFirstFree;
  private final int maxWaiting;
  private final Function<K, List<?>> levels;
  private final LongSupplier nanos;
  private int free;

  /** Of keys and groups that have work under way, or used time recently. */
  private final Map<Object, Use> uses = new HashMap<>();

  private long tidiedAt;
  private long admittedAt;

  /**
   * In order of arrival. Whether work may begin is checked when it arrives, when other work ends
   * and, if places are reserved, every {@link #RECHECK_NANOS}: used time counts less as time
   * passes, so work may begin although no other work has ended.
   */
  private final List<Waiting> waiting = new ArrayList<>();

  /** Work that waits until it is admitted or refused. */
  private static final class Waiting {
    /** Of its key. */
    final List<?> levels;

    final int weight;
    final CountDownLatch decided = new CountDownLatch(1);
    boolean isRefused;

    Waiting(List<?> levels, int weight) {
      this.levels = levels;
      this.weight = weight;
    }
  }

  /** What a key or a group uses. */
  private final class Use {
    int underWay;

    /** The time of its work times the places it took; past time counts less and less. */
    double seconds;

    long at;

    Use(long now) {
      this.at = now;
    }

    double secondsUntil(long now) {
      double weight = Math.exp((at - now) / (memorySeconds * TimeUnit.SECONDS.toNanos(1)));
      seconds = seconds * weight + underWay * memorySeconds * (1 - weight);
      at = now;
      return seconds;
    }
  }

  /**
   * Shares all places.
   *
   * @param places how much work may be under way for all keys together
   */
  public FairShare(int places) {
    this(places, 0);
  }

  /**
   * The same with reserved places.
   *
   * @param reserved how many places are only for keys that used little time recently: a key must
   *     leave one more of them free for each second that it used a place
   */
  public FairShare(int places, int reserved) {
    this(places, reserved, System::nanoTime);
  }

  FairShare(int places, int reserved, LongSupplier nanos) {
    this(places, reserved, DEFAULT_DECAY_TIME, key -> List.of(key), nanos);
  }

  /**
   * Shares places that are taken for long: a key that has a place, or had one within about {@code
   * memory}, must leave the reserved places free, however short its work was.
   *
   * @param memory how long used time counts, on average
   */
  public static <K> FairShare<K> ofLongWork(int places, int reserved, Duration memory) {
    return ofLongWork(places, reserved, memory, System::nanoTime);
  }

  static <K> FairShare<K> ofLongWork(
      int places, int reserved, Duration memory, LongSupplier nanos) {
    // Twice: half of it still counts after most of the memory.
    return new FairShare<>(
        places,
        reserved,
        memory,
        2 * reserved,
        false,
        Integer.MAX_VALUE,
        key -> List.of(key),
        nanos);
  }

  /**
   * Shares places that are held for any time: the reserved ones are for keys that hold none,
   * however much they used. A key that holds some begins more work as with reserved places.
   *
   * @param memory how long used time counts, on average
   * @param nanos a clock, in nanoseconds
   */
  public static <K> FairShare<K> ofHeldPlaces(
      int places, int reserved, Duration memory, LongSupplier nanos) {
    return new FairShare<>(
        places, reserved, memory, 0, true, Integer.MAX_VALUE, key -> List.of(key), nanos);
  }

  /**
   * Shares all places between groups of keys.
   *
   * @param memory how long used time counts, on average
   * @param levels the groups of a key, the widest first, and at the end the key itself
   */
  public FairShare(int places, Duration memory, Function<K, List<?>> levels) {
    this(places, memory, Integer.MAX_VALUE, levels);
  }

  /**
   * Also limits how much work may wait. If more comes, the newest of the group with the most
   * waiting is refused; among groups with equally much, of the one whose turn comes last. So nobody
   * is refused because others wait for much.
   *
   * @param maxWaiting how much work may wait for all keys together
   * @param levels as above; all keys of one group must have the same number of levels
   */
  public FairShare(int places, Duration memory, int maxWaiting, Function<K, List<?>> levels) {
    this(places, 0, memory, 0, false, maxWaiting, levels, System::nanoTime);
  }

  /**
   * The same with reserved places: a key must also leave them free for the time that its groups
   * used. So the holder of many keys of one group cannot take them by using each key once.
   *
   * @param reserved how many places are only for keys whose groups used little time recently
   */
  public FairShare(int places, int reserved, Function<K, List<?>> levels) {
    this(places, reserved, DEFAULT_DECAY_TIME, levels, System::nanoTime);
  }

  FairShare(
      int places, int reserved, Duration memory, Function<K, List<?>> levels, LongSupplier nanos) {
    this(places, reserved, memory, 0, false, Integer.MAX_VALUE, levels, nanos);
  }

  /**
   * The same with time that counts as used however long the work takes.
   *
   * @param secondsToBegin the time when work begins, and at most when it ends; 0 for the real time
   * @param isFirstFree whether a key without work under way may take reserved places, whatever it
   *     used
   * @param maxWaiting how much work may wait
   */
  private FairShare(
      int places,
      int reserved,
      Duration memory,
      double secondsToBegin,
      boolean isFirstFree,
      int maxWaiting,
      Function<K, List<?>> levels,
      LongSupplier nanos) {
    this.places = places;
    this.free = places;
    this.reserved = reserved;
    this.memorySeconds = memory.toSeconds();
    this.secondsToBegin = secondsToBegin;
    this.isFirstFree = isFirstFree;
    this.maxWaiting = maxWaiting;
    this.levels = levels;
    this.nanos = nanos;
  }

  /**
   * Waits until work for a key may begin, which takes one place.
   *
   * @return false if that took longer than {@code wait}, if too much waits, or if the thread was
   *     interrupted, which it then still is; only if true, {@link #end(Object)} must follow
   */
  public boolean begin(K key, Duration wait) {
    return begin(key, 1, wait);
  }

  /**
   * The same for work that takes more places.
   *
   * @param weight at most all places
   * @return as above; only if true, {@link #end(Object, int)} must follow
   */
  public boolean begin(K key, int weight, Duration wait) {
    var own = new Waiting(levels.apply(key), weight);
    synchronized (this) {
      long now = nanos.getAsLong();
      if (waiting.isEmpty() && mayBegin(own, now)) {
        count(own.levels, weight, now);
        return true;
      }
      waiting.add(own);
      admit(now);
      if (waiting.size() > maxWaiting) {
        refuse(last(now));
      }
      if (own.decided.getCount() == 0) {
        return !own.isRefused;
      }
    }
    boolean isDecided = false;
    try {
      isDecided = await(own, wait.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      // It may have been decided since.
      if (isDecided || !waiting.remove(own)) {
        return !own.isRefused;
      }
      // Others may have waited for it.
      admit(nanos.getAsLong());
      return false;
    }
  }

  /**
   * Takes more places for work that has begun, if they are free and no other work waits.
   *
   * @return whether it did; then {@link #end(Object, int)} must follow
   */
  public synchronized boolean tryMore(K key, int weight) {
    boolean isFree = waiting.isEmpty() && weight <= free;
    if (isFree) {
      count(levels.apply(key), weight, nanos.getAsLong());
    }
    return isFree;
  }

  private boolean await(Waiting own, long wait) throws InterruptedException {
    long left = wait;
    while (left > 0) {
      long pause = reserved == 0 ? left : Math.min(left, RECHECK_NANOS);
      if (own.decided.await(pause, TimeUnit.NANOSECONDS)) {
        return true;
      }
      recheck();
      left -= pause;
    }
    return false;
  }

  /** Once in the interval, however many wait. */
  private synchronized void recheck() {
    long now = nanos.getAsLong();
    if (now - admittedAt >= RECHECK_NANOS) {
      admit(now);
    }
  }

  /** Ends work for a key that took one place, and lets those begin that may now. */
  public void end(K key) {
    end(key, 1);
  }

  /** The same for work that took more places. */
  public synchronized void end(K key, int weight) {
    long now = nanos.getAsLong();
    count(levels.apply(key), -weight, now);
    admit(now);
    if (now - tidiedAt > TimeUnit.SECONDS.toNanos(1)) {
      tidiedAt = now;
      double negligible = NEGLIGIBLE_SECONDS * Math.max(1, places / PLACES_OF_NEGLIGIBLE_SECONDS);
      uses.values().removeIf(use -> use.underWay == 0 && use.secondsUntil(now) < negligible);
    }
  }

  private void admit(long now) {
    admittedAt = now;
    for (var next = next(now); next.isPresent(); next = next(now)) {
      var admitted = next.get();
      waiting.remove(admitted);
      count(admitted.levels, admitted.weight, now);
      admitted.decided.countDown();
    }
  }

  private void refuse(Waiting work) {
    waiting.remove(work);
    work.isRefused = true;
    work.decided.countDown();
  }

  /** The work that is refused if too much waits. */
  private Waiting last(long now) {
    var left = waiting;
    for (int i = 0; i < left.getFirst().levels.size(); i++) {
      int level = i;
      left =
          left.stream()
              .collect(
                  Collectors.groupingBy(
                      each -> each.levels.get(level), LinkedHashMap::new, Collectors.toList()))
              .entrySet()
              .stream()
              .reduce((one, other) -> isRefusedBefore(one, other, now) ? one : other)
              .orElseThrow()
              .getValue();
    }
    return left.getLast();
  }

  private boolean isRefusedBefore(
      Map.Entry<?, List<Waiting>> one, Map.Entry<?, List<Waiting>> other, long now) {
    int order = Integer.compare(one.getValue().size(), other.getValue().size());
    return (order == 0 ? compare(one.getKey(), other.getKey(), now) : order) > 0;
  }

  /** The work that begins next; empty if none may, or if the next one needs more free places. */
  private Optional<Waiting> next(long now) {
    return free == 0
        ? Optional.empty()
        : waiting.stream()
            .filter(each -> each.weight > free || mayBegin(each, now))
            .min((one, other) -> compare(one.levels, other.levels, now))
            .filter(each -> each.weight <= free);
  }

  /** By the widest groups in which they differ. */
  private int compare(List<?> one, List<?> other, long now) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      if (!one.get(i).equals(other.get(i))) {
        int order = compare(one.get(i), other.get(i), now);
        if (order != 0) {
          return order;
        }
      }
    }
    return 0;
  }

  private int compare(Object one, Object other, long now) {
    int order = Integer.compare(underWay(one), underWay(other));
    return order == 0 ? Double.compare(counted(one, now), counted(other, now)) : order;
  }

  /**
   * The used time, where places are reserved without fractions of a second: otherwise those that
   * are new, one after another, would always come before one that is back after a few milliseconds.
   */
  private double counted(Object key, long now) {
    double seconds = seconds(key, now);
    return reserved == 0 ? seconds : Math.floor(seconds);
  }

  /**
   * Whether a key has used at least as much time recently as one that has held a place for {@code
   * time} without a pause. Time counts even if the key ended its work and began again.
   */
  public synchronized boolean hasUsed(K key, Duration time) {
    double usedByThen = memorySeconds * (1 - Math.exp(-time.toSeconds() / memorySeconds));
    return seconds(key, nanos.getAsLong()) >= usedByThen;
  }

  /** How many places are free. */
  public synchronized int free() {
    return free;
  }

  /** How much work waits. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /**
   * For how long work that begins now may take its place, so that one key of each widest group that
   * waits gets a place within a time; empty if none waits.
   */
  synchronized Optional<Duration> shareOf(Duration time) {
    long groups = waiting.stream().map(each -> each.levels.getFirst()).distinct().count();
    return groups == 0
        ? Optional.empty()
        : Optional.of(time.multipliedBy(places).dividedBy(groups + 1));
  }

  /** Whether fewer places are free than are reserved. */
  synchronized boolean isScarce() {
    return free < reserved;
  }

  private boolean mayBegin(Waiting work, long now) {
    int underWay = underWay(work.levels.getLast());
    double used =
        isFirstFree && underWay == 0
            ? 0
            : work.levels.stream().mapToDouble(level -> seconds(level, now)).max().orElse(0);
    double left = Math.max(underWay, Math.min(reserved, used));
    // If all places are free, any work may begin. Fractions of a second do not reserve a place.
    return free >= Math.min(places, work.weight + Math.floor(left));
  }

  private int underWay(Object key) {
    var use = uses.get(key);
    return use == null ? 0 : use.underWay;
  }

  private double seconds(Object key, long now) {
    var use = uses.get(key);
    return use == null ? 0 : use.secondsUntil(now);
  }

  private void count(List<?> keys, int change, long now) {
    for (var key : keys) {
      var use = uses.computeIfAbsent(key, _ -> new Use(now));
      use.secondsUntil(now);
      use.underWay += change;
      if (secondsToBegin > 0) {
        use.seconds = change > 0 ? secondsToBegin : Math.min(use.seconds, secondsToBegin);
      }
    }
    free -= change;
  }
}

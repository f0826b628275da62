package dev.cairn.live;

import dev.cairn.access.OngoingReads;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A client that follows repositories, and is woken by their commits. Its thread waits in {@link
 * #await} and reads from {@link #newest} what there is to read. To be closed.
 */
final class Watch implements AutoCloseable {
  private final String caller;
  private final List<Followed> followed;
  private final List<OngoingReads.Read> reads;
  private final Runnable hangUp;
  private final ClientRoom room;
  private final Consumer<Watch> onClose;
  private final Semaphore wakeUps = new Semaphore(0);
  private final AtomicReference<End> end = new AtomicReference<>();
  private final AccessAge access = new AccessAge(System.nanoTime());

  /** Why and when it was to end. */
  private record End(Ending reason, long at) {}

  /**
   * @param caller the key of its limits
   * @param followed the repositories, in the order of {@code reads}
   * @param hangUp closes the connection of the client; it is called if the client does not let its
   *     thread end
   * @param room counts what it keeps
   */
  Watch(
      String caller,
      List<Followed> followed,
      List<OngoingReads.Read> reads,
      Runnable hangUp,
      ClientRoom room,
      Consumer<Watch> onClose) {
    this.caller = caller;
    this.followed = followed;
    this.reads = reads;
    this.hangUp = hangUp;
    this.room = room;
    this.onClose = onClose;
  }

  /** The key of the limits of whoever follows: an account, or a network address. */
  String caller() {
    return caller;
  }

  /** When it was authorized again. */
  AccessAge access() {
    return access;
  }

  /** What is to be authorized again. */
  List<OngoingReads.Read> reads() {
    return reads;
  }

  /** The sequence number of the newest commit that is known of a repository. */
  long newest(int repository) {
    return followed.get(repository).newest();
  }

  /** There are these newest commits; those are woken who follow one that is new. */
  void committed(Map<OngoingReads.Read, Long> newest) {
    for (int i = 0; i < reads.size(); i++) {
      followed.get(i).committed(newest.get(reads.get(i)));
    }
  }

  /** Why it is to end; empty if it is not. */
  Optional<Ending> ending() {
    return Optional.ofNullable(end.get()).map(End::reason);
  }

  /** Has it end soon. The first reason counts. */
  void end(Ending reason) {
    if (end.compareAndSet(null, new End(reason, System.nanoTime()))) {
      wake();
    }
  }

  /** Closes the connection, if it was to end this long ago. */
  void hangUpAfter(Duration patience) {
    var ended = end.get();
    if (ended != null && System.nanoTime() - ended.at() > patience.toNanos()) {
      hangUp.run();
    }
  }

  /**
   * Counts bytes that are kept for it until it is closed, or {@link #drop} is called.
   *
   * @throws Problem as {@link ClientRoom#keep}
   */
  void keep(long bytes) {
    room.keep(this, bytes);
  }

  /** Counts bytes no longer that were kept for it. */
  void drop(long bytes) {
    room.drop(this, bytes);
  }

  /** Ends the wait of its thread, or its next one. */
  void wake() {
    wakeUps.release();
  }

  /** Waits until there may be something to do, or until the time is over. */
  void await(Duration timeout) throws InterruptedException {
    if (wakeUps.tryAcquire(Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS)) {
      wakeUps.drainPermits();
    }
  }

  @Override
  public void close() {
    onClose.accept(this);
  }
}

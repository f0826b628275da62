package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
import java.util.function.Consumer;
import java.util.function.Function;

/** Counts what is kept of a body in an {@link ArrivalRoom}. */
final class KeptArrival implements KeptBytes {
  /** Room is taken and given back in blocks of this size, since that compares all arrivals. */
  static final int BLOCK_BYTES = 64 * 1024;

  private final ArrivalRoom.Arrival arrival;
  private long kept;
  private long counted;
  private volatile Problem ended;

  /**
   * Counts nothing yet.
   *
   * @param begin begins the arrival; its parameter is called if that is ended
   */
  KeptArrival(Function<Consumer<Problem>, ArrivalRoom.Arrival> begin) {
    this.arrival = begin.apply(problem -> ended = problem);
  }

  @Override
  public void keep(int more) {
    int count = toTake(more);
    kept += more;
    if (count > 0) {
      // Ended if there is no room for it.
      var _ = arrival.take(count);
      counted += count;
    }
    requireRoom();
  }

  @Override
  public void drop(int fewer) {
    kept -= fewer;
    if (counted - kept >= 2 * BLOCK_BYTES) {
      counted = Math.ceilDiv(kept, BLOCK_BYTES) * (long) BLOCK_BYTES;
      arrival.shrink(counted);
    }
  }

  @Override
  public boolean fits(int more) {
    int count = toTake(more);
    return count == 0 || arrival.fits(count);
  }

  /** How much room has to be taken to keep so much more. */
  private int toTake(int more) {
    long needed = kept + more - counted;
    return needed <= 0 ? 0 : (int) Math.max(needed, BLOCK_BYTES);
  }

  @Override
  public void requireRoom() {
    if (ended != null) {
      throw ended;
    }
  }

  @Override
  public <E extends Exception> void whileUsed(Work<E> work) throws E {
    if (!arrival.beginUse()) {
      requireRoom();
    }
    try {
      work.run();
    } finally {
      arrival.endUse();
    }
  }

  @Override
  public void close() {
    arrival.release();
  }
}

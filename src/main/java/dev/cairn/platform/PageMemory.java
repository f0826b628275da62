package dev.cairn.platform;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * Bounds the memory of large answers of REST. A read that finds room has a page of up to 8 MiB; the
 * others have a short one, and wait for nothing. What cannot be cut, such as a batch, waits for
 * room. Callers without credentials have a room of their own. {@link PageRoom} is what one request
 * takes.
 */
@Singleton
@Startup // Its metrics are there before the first read.
class PageMemory {
  /**
   * The maximum size of a page without room, which an answer of a single entity may have too: so
   * these take no room, and their number is bounded by that of the connections for reads.
   */
  static final int SHORT_PAGE = 1024 * 1024;

  /**
   * How many times its bytes a page takes: its rows or records, what is written of them, and the
   * whole answer; later the answer and the buffer that is handed to the connection.
   */
  static final int WEIGHT = 3;

  /** What a long page takes. */
  static final long LONG_PAGE = (long) Pager.MAX_BYTES * WEIGHT;

  private static final Duration WAIT = Duration.ofSeconds(5);

  private final HeapRoom accounts = new HeapRoom(HeapShare.PAGES_OF_ACCOUNTS, WAIT);
  private final HeapRoom anonymous = new HeapRoom(HeapShare.PAGES_OF_ANONYMOUS, WAIT);
  private final Counter shortened;

  PageMemory(MeterRegistry metrics) {
    Gauge.builder("cairn.pages.waiting", this::waiting)
        .description("Large answers of REST that wait in this replica for room in its heap")
        .register(metrics);
    this.shortened =
        Counter.builder("cairn.pages.shortened")
            .description(
                "Reads whose pages had at most 1 MiB, because there was no room for longer ones")
            .register(metrics);
  }

  /** Takes room for a long page if there is any; otherwise counts a short one. */
  Optional<Runnable> tryHold(boolean isAnonymous) {
    var held = room(isAnonymous).tryHold(LONG_PAGE);
    if (held.isEmpty()) {
      shortened.increment();
    }
    return held;
  }

  /**
   * Waits for room for a large answer, within the share of its owner.
   *
   * @return gives the room back; to be run once
   */
  Runnable hold(ArrivalRoom.Owner owner) {
    return room(owner.isAnonymous()).hold(owner.name(), LONG_PAGE);
  }

  int waiting() {
    return accounts.waiting() + anonymous.waiting();
  }

  private HeapRoom room(boolean isAnonymous) {
    return isAnonymous ? anonymous : accounts;
  }
}

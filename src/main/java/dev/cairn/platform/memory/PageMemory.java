package dev.cairn.platform.memory;

import dev.cairn.platform.page.Pager;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * Bounds the memory of large answers of REST. A read that finds room returns a long page; other
 * reads return a short page, and do not wait. Long pages hold their room during their queries, so
 * they leave a part of it to answers that cannot be cut, such as a batch, which wait for room.
 * Callers without credentials have a room of their own. {@link PageRoom} is the room of one
 * request.
 */
@Singleton
@Startup // Its metrics are there before the first read.
class PageMemory {
  /**
   * The maximum size of a page without room, and of an answer with a single entity: these take no
   * room, since {@link AnswerTurn} bounds their number.
   */
  static final int SHORT_PAGE_BYTES = 1024 * 1024;

  /**
   * How many times its bytes a page takes: its rows or records, their JSON, and the whole answer;
   * later the answer and the buffer that is passed to the connection.
   */
  static final int COPIES_OF_PAGE = 3;

  /** Longer than a query may take, so that waiting answers get the room of finished pages. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(15);

  private final HeapRoom accounts = new HeapRoom(HeapShare.PAGES_OF_ACCOUNTS, MAX_WAIT);
  private final HeapRoom anonymous = new HeapRoom(HeapShare.PAGES_OF_ANONYMOUS, MAX_WAIT);
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

  /** The maximum size of a long page, in bytes: 8 MiB, or as much as one owner has room for. */
  int longPage() {
    return (int)
        Math.min(Pager.MAX_BYTES, accounts.size() / HeapRoom.OWNER_FRACTION / COPIES_OF_PAGE);
  }

  /** Takes room for a long page if there is any; otherwise counts a short one. */
  Optional<Runnable> tryHold(ArrivalRoom.Owner owner) {
    var held = room(owner).tryHold(owner.name(), (long) longPage() * COPIES_OF_PAGE);
    if (held.isEmpty()) {
      shortened.increment();
    }
    return held;
  }

  /**
   * Waits for room for a large answer, within the share of its owner, or if it is the only one.
   *
   * @return gives the room back; to be run once
   */
  Runnable hold(ArrivalRoom.Owner owner, int bytes) {
    return room(owner).hold(owner.name(), (long) bytes * COPIES_OF_PAGE);
  }

  int waiting() {
    return accounts.waiting() + anonymous.waiting();
  }

  private HeapRoom room(ArrivalRoom.Owner owner) {
    return owner.isAnonymous() ? anonymous : accounts;
  }
}

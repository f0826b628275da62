package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.page.Pager;
import java.util.function.Supplier;

/** How many bytes a page may have before it ends early. */
public final class PageBytes {
  private static final ScopedValue<Integer> FEWER = ScopedValue.newInstance();

  private PageBytes() {}

  /** Runs a read whose pages have at most so many bytes, or one item. */
  public static <T> T within(int max, Supplier<T> read) {
    return ScopedValue.where(FEWER, max).call(read::get);
  }

  /** Whether the read at hand is one of {@link #within}. */
  static boolean isOfMessage() {
    return FEWER.isBound();
  }

  /**
   * What {@link #within} says; otherwise up to 8 MiB if the request at hand finds room for them,
   * which is then taken, and 1 MiB if not ({@link PageMemory}).
   */
  public static int max() {
    return FEWER.isBound()
        ? FEWER.get()
        : PageRoom.current().map(PageRoom::maxPage).orElse(Pager.MAX_BYTES);
  }

  /**
   * Runs a read whose answer cannot be cut, so that it is {@code PAYLOAD_TOO_LARGE} beyond {@link
   * #max}: as long as that is for want of room, waits for more and reads again. To be called
   * without a connection to the database.
   */
  public static <T> T uncut(Supplier<T> read) {
    while (true) {
      try {
        return read.get();
      } catch (Problem e) {
        boolean hasMore =
            e.code() == ErrorCode.PAYLOAD_TOO_LARGE
                && !FEWER.isBound()
                && PageRoom.current().map(PageRoom::awaitMore).orElse(false);
        if (!hasMore) {
          throw e;
        }
      }
    }
  }
}

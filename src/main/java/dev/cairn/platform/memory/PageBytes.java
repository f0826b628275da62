package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.page.Pager;
import java.util.function.Supplier;

/** The maximum number of bytes of a page, which ends early when it reaches them. */
public final class PageBytes {
  private static final ScopedValue<Integer> FEWER = ScopedValue.newInstance();

  private PageBytes() {}

  /** Runs a read whose pages have at most {@code max} bytes, or one item. */
  public static <T> T within(int max, Supplier<T> read) {
    return ScopedValue.where(FEWER, max).call(read::get);
  }

  /** Whether the read at hand is one of {@link #within}. */
  static boolean isOfMessage() {
    return FEWER.isBound();
  }

  /**
   * The maximum that {@link #within} sets. Otherwise up to 8 MiB if the current request finds room
   * for them, which it then takes, or 1 MiB if it does not ({@link PageMemory}).
   */
  public static int max() {
    return FEWER.isBound()
        ? FEWER.get()
        : PageRoom.current().map(PageRoom::maxPage).orElse(Pager.MAX_BYTES);
  }

  /**
   * Runs a read whose answer cannot be cut, and is {@code PAYLOAD_TOO_LARGE} beyond {@link #max}.
   * If only room is missing, waits for more and reads again. Must be called without a connection to
   * the database.
   *
   * @param afterWait called before it reads again, to check what may have changed meanwhile
   */
  public static <T> T uncut(Supplier<T> read, Runnable afterWait) {
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
        afterWait.run();
      }
    }
  }
}

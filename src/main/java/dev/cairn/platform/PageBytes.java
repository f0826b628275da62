package dev.cairn.platform;

import java.util.function.Supplier;

/** How many bytes a page may have before it ends early. */
public final class PageBytes {
  private static final ScopedValue<Integer> FEWER = ScopedValue.newInstance();

  private PageBytes() {}

  /** Runs a read whose pages have at most so many bytes, or one item. */
  public static <T> T within(int max, Supplier<T> read) {
    return ScopedValue.where(FEWER, max).call(read::get);
  }

  /** 8 MiB, or what {@link #within} says. */
  public static int max() {
    return FEWER.orElse(Pager.MAX_BYTES);
  }
}

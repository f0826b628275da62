package dev.cairn.client;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Follows the cursors of a list; a page is read when its first item is needed. */
final class Pages {
  /** The most items that a page can have: the fewest requests for a whole list. */
  static final int MAX_LIMIT = 500;

  private Pages() {}

  /** The items of all pages. */
  static <T> Stream<T> stream(Function<Paging, ? extends Page<T>> page) {
    return stream(page, Page::items, Page::nextCursor);
  }

  /** The same for an answer that is a page among other things. */
  static <P, T> Stream<T> stream(
      Function<Paging, P> page, Function<P, List<T>> items, Function<P, String> nextCursor) {
    var iterator = new Items<>(page, items, nextCursor);
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(iterator, Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  private static final class Items<P, T> implements Iterator<T> {
    private final Function<Paging, P> page;
    private final Function<P, List<T>> items;
    private final Function<P, String> nextCursor;
    private @Nullable Paging next = Paging.first(MAX_LIMIT);
    private Iterator<T> current = List.<T>of().iterator();

    Items(Function<Paging, P> page, Function<P, List<T>> items, Function<P, String> nextCursor) {
      this.page = page;
      this.items = items;
      this.nextCursor = nextCursor;
    }

    @Override
    public boolean hasNext() {
      while (!current.hasNext() && next != null) {
        var read = page.apply(next);
        var cursor = nextCursor.apply(read);
        next = cursor == null ? null : next.after(cursor);
        current = items.apply(read).iterator();
      }
      return current.hasNext();
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return current.next();
    }
  }
}

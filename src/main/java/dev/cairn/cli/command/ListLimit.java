package dev.cairn.cli.command;

import dev.cairn.cli.output.Output;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * How much of a list is shown: by default a screen or two to a person, and all to a program; a
 * mixin.
 */
public final class ListLimit {
  private static final int FOR_PEOPLE = 100;
  private static final int MAX_PAGE = 500;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "<n>",
      description =
          "Show at most this many; 0 for all. The default is 100 on a terminal, otherwise all.")
  private Integer limit;

  /** For picocli. */
  public ListLimit() {}

  /** How many are shown, or {@code Integer.MAX_VALUE}. */
  private int of(Output output) {
    if (limit == null) {
      return output.isForPeople() ? FOR_PEOPLE : Integer.MAX_VALUE;
    }
    return limit == 0 ? Integer.MAX_VALUE : limit;
  }

  /**
   * Refuses a negative number.
   *
   * @throws ParameterException if it is one
   */
  public void check() {
    if (limit != null && limit < 0) {
      throw new ParameterException(
          spec.commandLine(), "--limit is a number of at least 0, not %d.".formatted(limit));
    }
  }

  /** The size of a page that has no more than what is shown. */
  public int pageSize(Output output) {
    // One more tells whether there are more.
    return Math.min(
        MAX_PAGE, Math.max(1, of(output) == Integer.MAX_VALUE ? MAX_PAGE : of(output) + 1));
  }

  /** The most items of a live view, which is redrawn as a whole. */
  public int ofView(int byDefault) {
    return limit == null || limit == 0 ? byDefault : Math.min(MAX_PAGE, limit);
  }

  /** The items that are shown; if there are more, a person is told. */
  public <T> Stream<T> apply(Stream<T> items, Output output) {
    int most = of(output);
    var limited = new Limited<>(items.iterator(), most, output);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(limited, Spliterator.ORDERED), false)
        .onClose(items::close);
  }

  private static final class Limited<T> implements Iterator<T> {
    private final Iterator<T> items;
    private final int most;
    private final Output output;
    private int shown;

    Limited(Iterator<T> items, int most, Output output) {
      this.items = items;
      this.most = most;
      this.output = output;
    }

    @Override
    public boolean hasNext() {
      if (shown < most) {
        return items.hasNext();
      }
      if (shown == most && items.hasNext()) {
        shown++;
        output.note("There are more than %d; --limit 0 shows all.".formatted(most));
      }
      return false;
    }

    @Override
    public T next() {
      if (shown >= most) {
        throw new NoSuchElementException();
      }
      shown++;
      return items.next();
    }
  }
}

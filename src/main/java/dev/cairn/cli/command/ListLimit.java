package dev.cairn.cli.command;

import dev.cairn.cli.output.Output;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How much of a list without a natural end is shown, such as that of the runs; a mixin. */
public final class ListLimit {
  private static final int DEFAULT = 50;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "<n>",
      description = "How many are shown at most; 50 by default.")
  private Integer limit;

  @Option(names = "--all", description = "Show all of them.")
  private boolean all;

  /** For picocli. */
  public ListLimit() {}

  /**
   * The beginning of a list; a note says if there are more.
   *
   * @throws ParameterException if the limit is not at least 1, or was given with {@code --all}
   */
  public <T> Stream<T> of(Stream<T> items, Output output) {
    if (all && limit != null) {
      throw new ParameterException(spec.commandLine(), "--limit and --all exclude each other.");
    }
    if (limit != null && limit < 1) {
      throw new ParameterException(
          spec.commandLine(), "--limit must be at least 1, and is %d.".formatted(limit));
    }
    if (all) {
      return items;
    }
    var limited = new Limited<>(items.spliterator(), limit == null ? DEFAULT : limit, output);
    return StreamSupport.stream(limited, false).onClose(items::close);
  }

  /** Looks at one item more than it passes on, to tell whether there are more. */
  private static final class Limited<T> extends Spliterators.AbstractSpliterator<T> {
    private final Spliterator<T> items;
    private final int limit;
    private final Output output;
    private int passed;

    Limited(Spliterator<T> items, int limit, Output output) {
      super(Long.MAX_VALUE, Spliterator.ORDERED);
      this.items = items;
      this.limit = limit;
      this.output = output;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
      if (passed < limit) {
        passed++;
        return items.tryAdvance(action);
      }
      if (items.tryAdvance(_ -> {})) {
        output.note("There are more: --limit or --all shows them.");
      }
      return false;
    }
  }
}

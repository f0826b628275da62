package dev.cairn.cli.output;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a command writes. Results go to the standard output in the {@link Format} that was asked
 * for, so a command says both what a person sees and which value of the API that is. Everything
 * else goes to the standard error.
 *
 * <p>Every text is escaped here by {@link Escapes}, so commands pass what the server sent.
 */
public final class Output {
  private final ProcessContext context;
  private final Format format;
  private final boolean quiet;
  private final LineWriter out;
  private final LineWriter err;
  private JsonOutput json;

  /** The bar on the last line of the terminal; null if there is none. Guarded by {@link #err}. */
  private ProgressLine bar;

  /** Notes that wait for the end of a table; null if there is none. */
  private List<String> held;

  /**
   * An output.
   *
   * @param colors whether colours are wanted; they are only shown on a terminal, and not if {@code
   *     NO_COLOR} is set or the terminal is a {@code dumb} one
   * @param quiet whether {@link #note} and progress are left out
   */
  public Output(ProcessContext context, Format format, boolean colors, boolean quiet) {
    this.context = context;
    this.format = format;
    this.quiet = quiet;
    var colored =
        colors && context.variable("NO_COLOR") == null && !"dumb".equals(context.variable("TERM"));
    var terminal = context.terminal();
    this.out = new LineWriter(context.out(), terminal.isOutput(), colored && terminal.isOutput());
    this.err = new LineWriter(context.err(), true, colored && terminal.isError());
  }

  /** What the standard output is written for. */
  public Format format() {
    return format;
  }

  /** Whether a person reads the standard output on a terminal. */
  public boolean isForPeople() {
    return format == Format.TEXT && context.terminal().isOutput();
  }

  /**
   * The items of a list that has pages: a table, or {@code {"items": […]}}, or an item a line. They
   * are written as they come.
   *
   * @param none what a person is told if there are none, such as {@code No repositories.}
   */
  public <T> void list(Table<T> table, Stream<? extends T> items, String none) {
    items(table, items, none, true);
  }

  /** The items of a list that is a bare array in the API; otherwise as {@link #list}. */
  public <T> void array(Table<T> table, Stream<? extends T> items, String none) {
    items(table, items, none, false);
  }

  private <T> void items(Table<T> table, Stream<? extends T> items, String none, boolean isPage) {
    try (items) {
      var iterator = items.iterator();
      switch (format) {
        case JSON -> json().array(iterator, isPage);
        case JSON_LINES -> iterator.forEachRemaining(json()::line);
        case TEXT -> {
          if (isForPeople()) {
            layOut(table, iterator, none);
          } else {
            iterator.forEachRemaining(
                item -> out.line(String.join("\t", table.cells(item, this::iso))));
          }
        }
      }
    }
  }

  private <T> void layOut(Table<T> table, Iterator<? extends T> items, String none) {
    var layout = new TableLayout<>(table, context.terminal().columns(), out);
    boolean isEmpty = true;
    // A note that comes with an item belongs after the table, which waits for its widths.
    held = new ArrayList<>();
    try {
      while (items.hasNext()) {
        var item = items.next();
        layout.add(table.cells(item, this::relative), table.styles(item));
        isEmpty = false;
      }
      if (!isEmpty) {
        layout.end();
      }
    } finally {
      var notes = held;
      held = null;
      notes.forEach(this::note);
    }
    if (isEmpty) {
      note(none);
    }
  }

  /**
   * One thing: its names and values, or {@code value} as JSON.
   *
   * @param value what the API answered
   */
  public void details(Object value, Details details) {
    if (isStructured()) {
      document(value);
      return;
    }
    boolean people = isForPeople();
    int width =
        details.entries().stream().mapToInt(entry -> ColumnWidth.of(entry.name())).max().orElse(0);
    for (var entry : details.entries()) {
      var text = text(entry.value(), people);
      if (people) {
        var blanks = " ".repeat(width - ColumnWidth.of(entry.name()) + 2);
        out.line(out.styled(entry.name(), Style.BOLD) + blanks + out.styled(text, entry.style()));
      } else {
        out.line(entry.name() + "\t" + text);
      }
    }
  }

  private String text(Object value, boolean people) {
    if (value instanceof Long time) {
      return people ? full(time) : iso(time);
    }
    return Escapes.line(value.toString());
  }

  /** A value as JSON, whatever the format: with {@link Format#JSON_LINES} in one line. */
  public void document(Object value) {
    if (format == Format.JSON_LINES) {
      json().line(value);
    } else {
      json().document(value);
    }
  }

  /** One of the values that come one after the other without an end, as JSON in a line. */
  public void update(Object value) {
    json().line(value);
  }

  /** Whether JSON was asked for. */
  public boolean isStructured() {
    return format != Format.TEXT;
  }

  /**
   * Bytes of the result as they are, for files and pipes; never for a terminal.
   *
   * @throws OutputFailure if they cannot be written
   */
  public void bytes(byte[] bytes, int length) {
    out.flush();
    try {
      context.out().write(bytes, 0, length);
    } catch (IOException e) {
      throw new OutputFailure(e);
    }
  }

  /** Whether the standard output is a terminal. */
  public boolean isTerminal() {
    return context.terminal().isOutput();
  }

  /** A line of the result as text. */
  public void line(String text) {
    line(text, null);
  }

  /**
   * A line of the result as text, in a style.
   *
   * @param style null for none
   */
  public void line(String text, Style style) {
    out.line(out.styled(Escapes.line(text), style));
  }

  /** Lines of the result as text: line feeds and tabs stay what they are. */
  public void text(String text) {
    text.lines().forEach(line -> out.line(String.join("\t", parts(line))));
  }

  private static List<String> parts(String line) {
    return Stream.of(line.split("\t", -1)).map(Escapes::line).toList();
  }

  /** The result of a command that changes something: JSON, or else a note. */
  public void done(Object value, String sentence) {
    if (isStructured()) {
      document(value);
    } else {
      note(sentence);
    }
  }

  /** A message to a person, unless {@code --quiet} was given. */
  public void note(String sentence) {
    if (held != null) {
      held.add(sentence);
    } else if (!quiet) {
      tell(Escapes.line(sentence));
    }
  }

  /** A message that a person needs to continue; {@code --quiet} does not leave it out. */
  public void message(String sentence) {
    tell(Escapes.line(sentence));
  }

  /** Writes lines to the standard error, above the bar if there is one. */
  private void tell(String... lines) {
    synchronized (err) {
      if (bar != null) {
        bar.clear();
      }
      out.flush();
      for (var line : lines) {
        err.line(line);
      }
      if (bar != null) {
        bar.redraw();
      }
    }
  }

  /** A question, which the answer follows in the same line. */
  public void prompt(String question) {
    synchronized (err) {
      out.flush();
      err.prompt(Escapes.line(question));
    }
  }

  /** What {@code --verbose} shows. */
  public void trace(String sentence) {
    tell(err.styled("> " + Escapes.line(sentence), Style.DIM));
  }

  /** A warning, which {@code --quiet} does not leave out. */
  public void warn(String sentence) {
    tell(err.styled("warning:", Style.YELLOW) + " " + Escapes.line(sentence));
  }

  /**
   * An error.
   *
   * @param sentence what was wrong
   * @param more further lines, such as the fields that were wrong
   * @param tries commands to try next
   */
  public void error(String sentence, List<String> more, List<String> tries) {
    List<String> lines = new ArrayList<>();
    lines.add(err.styled("cairn:", Style.RED) + " " + Escapes.line(sentence));
    more.forEach(line -> lines.add("  " + Escapes.line(line)));
    tries.forEach(command -> lines.add("Try: " + err.styled(Escapes.line(command), Style.CYAN)));
    tell(lines.toArray(String[]::new));
  }

  /**
   * Shows the progress of long work on the standard error, if it is a terminal; otherwise, with
   * {@code --quiet} and with JSON lines on the same terminal, nothing.
   *
   * @param task what is done, such as {@code Importing}
   * @param total how much there is to do, or -1 if it is not known
   * @param unit of what, such as {@code operations}, or {@link Progress#BYTES}
   */
  public Progress progress(String task, long total, String unit) {
    boolean shown = !quiet && context.terminal().isError();
    if (!shown) {
      return Progress.NONE;
    }
    var line = new ProgressLine(task, total, unit, err, context.terminal(), this::forgetBar);
    synchronized (err) {
      bar = line;
    }
    return line;
  }

  private void forgetBar() {
    synchronized (err) {
      bar = null;
    }
  }

  /**
   * One of the rows that come one after the other without an end: its cells with tabs between them,
   * or with two blanks for a person.
   */
  public <T> void row(Table<T> table, T item) {
    boolean people = isForPeople();
    out.line(
        String.join(people ? "  " : "\t", table.cells(item, people ? this::local : this::iso)));
  }

  /** How long ago it was would soon be wrong in a row that stays. */
  private String local(long millis) {
    return Times.local(Instant.ofEpochMilli(millis), context.zone());
  }

  /** Clears the terminal, before a view is drawn again; nothing happens if no person reads it. */
  public void clear() {
    if (isForPeople()) {
      out.clear();
    }
  }

  /** Writes what is buffered; called when a command that goes on waits for more. */
  public void flush() {
    out.flush();
  }

  /** The time as short as a column needs. */
  public String relative(long millis) {
    return Times.relative(Instant.ofEpochMilli(millis), context.clock().instant(), context.zone());
  }

  /** The local time, and how long ago that is. */
  public String full(long millis) {
    return Times.full(Instant.ofEpochMilli(millis), context.clock().instant(), context.zone());
  }

  private String iso(long millis) {
    return Times.iso(Instant.ofEpochMilli(millis));
  }

  /** A help text, which has its colours already. */
  public void help(String text) {
    text.lines().forEach(out::line);
  }

  /** Whether the standard output shows colours. */
  public boolean isColored() {
    return out.isColored();
  }

  private JsonOutput json() {
    if (json == null) {
      json = new JsonOutput(out);
    }
    return json;
  }
}

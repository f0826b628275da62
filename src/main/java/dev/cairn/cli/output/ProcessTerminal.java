package dev.cairn.cli.output;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of this process. Java tells only whether both the standard input and output are one,
 * so the rest is asked of the operating system: {@code /proc} on Linux, the commands {@code test}
 * and {@code stty} elsewhere.
 */
final class ProcessTerminal implements Terminal {
  private static final int DEFAULT_COLUMNS = 80;
  private static final int MIN_COLUMNS = 20;

  private final Map<String, String> variables;

  private Boolean input;
  private Boolean output;
  private Boolean error;
  private int columns;

  ProcessTerminal(Map<String, String> variables) {
    this.variables = variables;
  }

  @Override
  public boolean isInput() {
    if (input == null) {
      input = isTerminal(0);
    }
    return input;
  }

  @Override
  public boolean isOutput() {
    if (output == null) {
      output = isTerminal(1);
    }
    return output;
  }

  @Override
  public boolean isError() {
    if (error == null) {
      error = isTerminal(2);
    }
    return error;
  }

  @Override
  public int columns() {
    if (columns == 0) {
      int wanted = parse(variables.get("COLUMNS"));
      columns = Math.max(wanted > 0 ? wanted : measured(), MIN_COLUMNS);
    }
    return columns;
  }

  /** What {@code stty} says, which has "rows columns" of its standard input. */
  private int measured() {
    if (!isOutput() && !isError()) {
      return DEFAULT_COLUMNS;
    }
    try {
      var stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String size;
      try (var reader = stty.inputReader()) {
        size = reader.readLine();
      }
      int measured = size == null ? 0 : parse(size.substring(size.indexOf(' ') + 1));
      return measured > 0 ? measured : DEFAULT_COLUMNS;
    } catch (IOException e) {
      return DEFAULT_COLUMNS; // no such command, or no terminal that controls this process
    }
  }

  private static int parse(String number) {
    try {
      return number == null ? 0 : Integer.parseInt(number.strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static boolean isTerminal(int descriptor) {
    var link = Path.of("/proc/self/fd/" + descriptor);
    try {
      var target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException e) {
      return isTerminalByTest(descriptor);
    }
  }

  private static boolean isTerminalByTest(int descriptor) {
    try {
      var test =
          new ProcessBuilder(List.of("test", "-t", Integer.toString(descriptor)))
              .inheritIO()
              .start();
      return test.waitFor(1, TimeUnit.SECONDS) && test.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public char[] readPassword(String prompt) {
    return Optional.ofNullable(System.console())
        .filter(Console::isTerminal)
        .orElseThrow(
            () ->
                new UncheckedIOException(
                    new IOException(
                        "A password is only asked for if the standard output is a terminal, too.")))
        .readPassword("%s", prompt);
  }
}

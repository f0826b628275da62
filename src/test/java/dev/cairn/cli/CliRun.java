package dev.cairn.cli;

import dev.cairn.cli.output.ProcessContext;
import dev.cairn.cli.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

/**
 * A run of {@code cairn} within the test's process, with streams, variables and time of its own.
 */
public final class CliRun {
  /** What time it is. */
  public static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  private final Map<String, String> variables = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private InstantSource clock = InstantSource.fixed(NOW);
  private Terminal terminal = FakeTerminal.NONE;
  private String input = "";

  /**
   * How a run ended.
   *
   * @param code the exit code
   * @param out what is on the standard output
   * @param err what is on the standard error
   */
  public record Result(int code, String out, String err) {}

  private CliRun(Path home) {
    variables.put("HOME", home.toString());
  }

  /** A run whose files are in a directory. */
  public static CliRun in(Path home) {
    return new CliRun(home);
  }

  /** Sets an environment variable. */
  public CliRun with(String variable, String value) {
    variables.put(variable, value);
    return this;
  }

  /** Sets the terminal; by default there is none. */
  public CliRun on(Terminal other) {
    this.terminal = other;
    return this;
  }

  /** Sets what is on the standard input. */
  public CliRun input(String text) {
    this.input = text;
    return this;
  }

  /** Sets the clock; by default it stands still. */
  public CliRun at(InstantSource other) {
    this.clock = other;
    return this;
  }

  /** What a command sees. */
  public ProcessContext context() {
    return new ProcessContext(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        out,
        err,
        variables,
        terminal,
        clock,
        ZoneOffset.UTC);
  }

  /** Runs a command. */
  public Result run(String... args) {
    int code = CairnCommand.run(context(), args);
    return new Result(code, written(), err.toString(StandardCharsets.UTF_8));
  }

  /** What is on the standard output. */
  public String written() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What is on the standard error. */
  public String complained() {
    return err.toString(StandardCharsets.UTF_8);
  }
}

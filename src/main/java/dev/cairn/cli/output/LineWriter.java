package dev.cairn.cli.output;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Writes lines of UTF-8 to the standard output or the standard error. On a terminal each line
 * appears at once.
 */
final class LineWriter {
  private final Writer writer;
  private final boolean flushes;
  private final boolean colored;

  /**
   * A writer.
   *
   * @param flushes whether each line appears at once
   * @param colored whether styles are shown
   */
  LineWriter(OutputStream stream, boolean flushes, boolean colored) {
    this.writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
    this.flushes = flushes;
    this.colored = colored;
  }

  /** Whether styles are shown. */
  boolean isColored() {
    return colored;
  }

  /**
   * The text in a style, if styles are shown.
   *
   * @param style null for none
   */
  String styled(String text, Style style) {
    return colored && style != null ? style.apply(text) : text;
  }

  /**
   * Writes a line, which has no dangerous characters.
   *
   * @throws OutputFailure if that fails
   */
  void line(String line) {
    try {
      writer.write(line);
      writer.write('\n');
      if (flushes) {
        writer.flush();
      }
    } catch (IOException e) {
      throw new OutputFailure(e);
    }
  }

  /**
   * Writes a text over the present line of the terminal, which stays the present one.
   *
   * @throws OutputFailure if that fails
   */
  void over(String text) {
    prompt("\r" + text + "\u001b[K");
  }

  /**
   * Writes a text without ending the line.
   *
   * @throws OutputFailure if that fails
   */
  void prompt(String text) {
    try {
      writer.write(text);
      writer.flush();
    } catch (IOException e) {
      throw new OutputFailure(e);
    }
  }

  /**
   * Clears the screen and goes to its first line.
   *
   * @throws OutputFailure if that fails
   */
  void clear() {
    try {
      writer.write("\u001b[H\u001b[J");
    } catch (IOException e) {
      throw new OutputFailure(e);
    }
  }

  /**
   * Writes what is buffered.
   *
   * @throws OutputFailure if that fails
   */
  void flush() {
    try {
      writer.flush();
    } catch (IOException e) {
      throw new OutputFailure(e);
    }
  }

  /** The writer beneath, for what writes by itself. */
  Writer writer() {
    return writer;
  }
}

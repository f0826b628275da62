package dev.cairn.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.cairn.client.Json;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.Iterator;

/**
 * Writes values as JSON, as the API has them. Characters that a terminal would obey are escaped,
 * which changes no value: they can only be in strings.
 */
final class JsonOutput {
  private static final ObjectWriter WRITER =
      Json.mapper().writer().without(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  private static final ObjectWriter PRETTY = WRITER.with(prettyPrinter());

  private final LineWriter lines;
  private final Writer escaped;

  JsonOutput(LineWriter lines) {
    this.lines = lines;
    this.escaped = new Escaping(lines.writer());
  }

  /** A value as one document over several lines. */
  void document(Object value) {
    write(PRETTY::writeValue, value);
  }

  /** A value in one line. */
  void line(Object value) {
    write(WRITER::writeValue, value);
  }

  /** Values as one array, or as the array {@code items} of one object, each in a line. */
  void array(Iterator<?> values, boolean isPage) {
    try {
      escaped.write(isPage ? "{\"items\":[" : "[");
      for (boolean first = true; values.hasNext(); first = false) {
        escaped.write(first ? "\n" : ",\n");
        WRITER.writeValue(escaped, values.next());
      }
      escaped.write(isPage ? "\n]}" : "\n]");
    } catch (IOException e) {
      throw new OutputFailure(e);
    }
    lines.line("");
  }

  /** As most tools indent: each item of an array in a line of its own. */
  private static PrettyPrinter prettyPrinter() {
    var indenter = new DefaultIndenter("  ", "\n");
    var printer =
        new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
    printer.indentObjectsWith(indenter);
    printer.indentArraysWith(indenter);
    return printer;
  }

  private void write(ValueWriter writer, Object value) {
    try {
      writer.write(escaped, value);
    } catch (IOException e) {
      throw new OutputFailure(e);
    }
    lines.line("");
  }

  @FunctionalInterface
  private interface ValueWriter {
    void write(Writer writer, Object value) throws IOException;
  }

  /** Escapes what a terminal would obey, except line feeds, which only stand between values. */
  private static final class Escaping extends FilterWriter {
    Escaping(Writer out) {
      super(out);
    }

    @Override
    public void write(int c) throws IOException {
      if (c != '\n' && Escapes.isDangerous((char) c)) {
        out.write(Escapes.unicode((char) c));
      } else {
        out.write(c);
      }
    }

    @Override
    public void write(char[] buffer, int offset, int length) throws IOException {
      int from = offset;
      for (int i = offset; i < offset + length; i++) {
        if (buffer[i] != '\n' && Escapes.isDangerous(buffer[i])) {
          out.write(buffer, from, i - from);
          write(buffer[i]);
          from = i + 1;
        }
      }
      out.write(buffer, from, offset + length - from);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
      write(text.toCharArray(), offset, length);
    }

    /** Jackson flushes after each value; the lines decide that here. */
    @Override
    public void flush() {}
  }
}

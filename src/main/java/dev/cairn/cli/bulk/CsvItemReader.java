package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The rows of a CSV file (RFC 4180) whose first line has the names of the columns. Each row is an
 * object of texts; what they mean is decided by {@link CellTypes}.
 */
final class CsvItemReader implements ItemReader {
  private static final int HEADER_BYTES = 64 * 1024;
  private static final String SEPARATORS = ",;\t|";

  private final CsvReader<CsvRecord> reader;
  private final CloseableIterator<CsvRecord> records;
  private final List<String> columns;
  private long line;
  private boolean hasEnded;

  /**
   * Reads the header.
   *
   * @param separator between cells; null to take what the header has most of
   * @throws IOException if there is no header, or a column has no name, or that of another one
   */
  CsvItemReader(InputFile file, Character separator) throws IOException {
    var content = file.content();
    reader =
        CsvReader.builder()
            .fieldSeparator(separator == null ? separator(content) : separator)
            .allowExtraFields(true)
            .allowMissingFields(true)
            .ofCsvRecord(new InputStreamReader(content, UTF_8.newDecoder()));
    records = reader.iterator();
    columns = columns(advance());
  }

  private static char separator(BufferedInputStream content) throws IOException {
    content.mark(HEADER_BYTES);
    var header = new String(content.readNBytes(HEADER_BYTES), UTF_8).lines().findFirst().orElse("");
    content.reset();
    return (char)
        SEPARATORS
            .chars()
            .reduce((a, b) -> count(header, b) > count(header, a) ? b : a)
            .orElseThrow();
  }

  private static long count(String text, int character) {
    return text.chars().filter(c -> c == character).count();
  }

  private static List<String> columns(CsvRecord header) throws IOException {
    if (header == null) {
      throw new IOException("it has no header with the names of its columns");
    }
    Set<String> names = new LinkedHashSet<>();
    for (var text : header.getFields()) {
      var name = FieldNames.from(text);
      if (name.isEmpty()) {
        throw new IOException("column %d of its header has no name".formatted(names.size() + 1));
      }
      if (!names.add(name)) {
        throw new IOException("two columns of its header are named `%s`".formatted(name));
      }
    }
    return new ArrayList<>(names);
  }

  /** The names of the columns, as fields. */
  List<String> columns() {
    return List.copyOf(columns);
  }

  @Override
  public Item next() throws IOException {
    if (hasEnded) {
      return null;
    }
    try {
      var found = advance();
      return found == null ? null : item(found);
    } catch (CsvParseException e) {
      hasEnded = true;
      return Item.faulty(
          line + 1, "This is not CSV: " + reason(e) + "; nothing after it was read.");
    }
  }

  private CsvRecord advance() throws IOException {
    try {
      if (!records.hasNext()) {
        return null;
      }
      var found = records.next();
      line = found.getStartingLineNumber();
      return found;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof CharacterCodingException) {
        throw new IOException("it is not UTF-8 after line " + line, e);
      }
      throw e.getCause();
    }
  }

  private static String reason(CsvParseException e) {
    return e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
  }

  private Item item(CsvRecord found) {
    if (found.getFieldCount() != columns.size()) {
      return Item.faulty(
          line,
          "The row has %d cells, and the header %d."
              .formatted(found.getFieldCount(), columns.size()));
    }
    ObjectNode row = Json.MAPPER.createObjectNode();
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i), found.getField(i));
    }
    return Item.of(line, row);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}

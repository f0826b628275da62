package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a file has.
 *
 * @param container how its items are written
 * @param content what each of them is
 */
record InputFormat(Container container, Content content) {
  /** How items are written. */
  enum Container {
    /** One JSON object a line. */
    NDJSON,
    /** One JSON array. */
    ARRAY,
    /** Rows with a header. */
    CSV
  }

  /** What an item is. */
  enum Content {
    /** An operation of a commit. */
    OPERATIONS,
    /** A line of an export. */
    EXPORT,
    /** An object of the user's own. */
    ROWS
  }

  private static final int BEGIN_BYTES = 64 * 1024;

  /**
   * Recognizes a file by its name and its first item.
   *
   * @param file just opened
   * @throws IOException if it cannot be read
   */
  static InputFormat detect(Path path, InputFile file) throws IOException {
    if (isCsv(path)) {
      return new InputFormat(Container.CSV, Content.ROWS);
    }
    var begin = new String(file.peek(BEGIN_BYTES), UTF_8).stripLeading();
    if (begin.startsWith("[")) {
      return new InputFormat(Container.ARRAY, content(first(begin.substring(1))));
    }
    return begin.startsWith("{") || begin.isEmpty()
        ? new InputFormat(Container.NDJSON, content(first(begin)))
        : new InputFormat(Container.CSV, Content.ROWS);
  }

  private static boolean isCsv(Path path) {
    var name = path.toString().toLowerCase(Locale.ROOT);
    var plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    return plain.endsWith(".csv") || plain.endsWith(".tsv");
  }

  /** The members of the first object, as far as the beginning has them. */
  private static JsonNode first(String begin) {
    var members = Json.MAPPER.createObjectNode();
    try (var parser = Json.MAPPER.createParser(begin)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
          parser.nextToken();
          members.put(name, true);
          parser.skipChildren();
        }
      }
    } catch (IOException e) {
      return members; // it is longer than the beginning, or no JSON, which the import will say
    }
    return members;
  }

  private static Content content(JsonNode members) {
    if (members.has("operation") && (members.has("name") || members.has("members"))) {
      return Content.OPERATIONS;
    }
    boolean isExport =
        members.has("wref")
            && members.has("kind")
            && members.has("data")
            && members.has("shapeName");
    return isExport ? Content.EXPORT : Content.ROWS;
  }

  /** Reads the items of a file that was just opened. */
  ItemReader reader(InputFile file, Character separator) throws IOException {
    return switch (container) {
      case NDJSON -> new NdjsonItemReader(file.content());
      case ARRAY -> new ArrayItemReader(file.content());
      case CSV -> new CsvItemReader(file, separator);
    };
  }
}

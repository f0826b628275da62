package dev.cairn.access;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The caller matrix as Markdown: written, and read again. */
final class MatrixPage {
  static final String NEEDS = "Needs";
  private static final String ENDPOINT = "Endpoint";

  private MatrixPage() {}

  /** What the columns mean. */
  static String legend() {
    return MatrixColumn.ALL.stream()
        .map(column -> "| `%s` | %s |".formatted(column.name(), column.meaning()))
        .collect(joining("\n", "| Column | Caller |\n|---|---|\n", ""));
  }

  /** One table with its heading, padded so that it can be read as plain text too. */
  static String table(String heading, Map<MatrixRow, List<Integer>> statuses) {
    int labels = width(statuses.keySet().stream().map(MatrixRow::label).toList());
    int needs = width(statuses.keySet().stream().map(MatrixRow::needs).toList());
    var columns = MatrixColumn.ALL.stream().map(column -> padded(column.name(), 3)).toList();
    var rows =
        statuses.entrySet().stream()
            .map(
                row ->
                    line(
                        padded(row.getKey().label(), labels),
                        padded(row.getKey().needs(), needs),
                        row.getValue().stream().map(String::valueOf).toList(),
                        columns));
    var head = line(padded(ENDPOINT, labels), padded(NEEDS, needs), columns, columns);
    return Stream.concat(Stream.of("## " + heading, "", head, rule(head)), rows)
        .collect(joining("\n"));
  }

  private static int width(List<String> texts) {
    return texts.stream().mapToInt(String::length).max().orElseThrow();
  }

  private static String line(String label, String needs, List<String> cells, List<String> columns) {
    var padded = new StringBuilder("| " + label + " | " + needs + " |");
    for (int i = 0; i < columns.size(); i++) {
      padded.append(' ').append(padded(cells.get(i), columns.get(i).length())).append(" |");
    }
    return padded.toString();
  }

  private static String rule(String head) {
    return head.replaceAll("[^|]", "-");
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /** All cells of the tables on a page, by {@link #key}. */
  static Map<String, String> cells(String page) {
    var cells = new LinkedHashMap<String, String>();
    var heading = "";
    List<String> columns = List.of();
    for (var line : page.lines().toList()) {
      if (line.startsWith("## ")) {
        heading = line.substring(3);
      }
      var fields = fields(line);
      if (fields.isEmpty() || fields.getFirst().equals(ENDPOINT)) {
        columns = fields;
      } else if (!columns.isEmpty() && !fields.getFirst().startsWith("-")) {
        for (int i = 1; i < columns.size(); i++) {
          var value = i < fields.size() ? fields.get(i) : "nothing";
          cells.put(key(heading, fields.getFirst(), columns.get(i)), value);
        }
      }
    }
    return cells;
  }

  /** The fields of a line of a table; empty for any other line. */
  private static List<String> fields(String line) {
    return line.startsWith("|") && line.endsWith("|")
        ? Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
            .map(String::strip)
            .toList()
        : List.of();
  }

  /** What a cell is known by. */
  static String key(String heading, String label, String column) {
    return String.join(" / ", heading, label, column);
  }

  /** Every cell in which the page and what was observed differ, one a line. */
  static String differences(String page, String observed) {
    var told = cells(page);
    var seen = cells(observed);
    var keys = new LinkedHashSet<>(seen.keySet());
    keys.addAll(told.keySet());
    return keys.stream()
        .filter(key -> !seen.getOrDefault(key, "no row").equals(told.get(key)))
        .map(
            key ->
                "%s: the page says %s, but it is %s"
                    .formatted(
                        key,
                        told.getOrDefault(key, "nothing"),
                        seen.getOrDefault(key, "no row any more")))
        .collect(Collectors.joining("\n"));
  }
}

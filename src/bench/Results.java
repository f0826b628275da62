import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of a measurement, as a table and as a picture. */
final class Results {
  private static final int LABELS = 330;
  private static final int SCALE = 260;
  private static final double WIDEST = 2.0;
  private static final int LINE = 18;
  private static final int MARGIN = 34;
  private static final String[] COLORS = {"#3b6ea5", "#c8792b"};

  private final List<String> subjects;
  private final List<Row> rows = new ArrayList<>();

  /**
   * One subject's result.
   *
   * @param value what was measured, with its unit
   * @param shares what each turn came to, as a share of the aim: 1 or more meets it
   */
  record Cell(String value, double... shares) {
    private double[] sorted() {
      var sorted = shares.clone();
      Arrays.sort(sorted);
      return sorted;
    }

    double least() {
      return sorted()[0];
    }

    double median() {
      return Turns.median(shares);
    }

    double most() {
      return sorted()[shares.length - 1];
    }

    /** Even the best turn is below the aim, so that it is missed by more than the spread. */
    boolean isMissed() {
      return most() < 1;
    }
  }

  /**
   * A path.
   *
   * @param floor what it is compared with
   * @param aim in words
   * @param cells by subject; one that was not measured is missing
   */
  private record Row(String what, String floor, String aim, Map<String, Cell> cells) {}

  Results(List<String> subjects) {
    this.subjects = subjects;
  }

  void add(String what, String floor, String aim, Map<String, Cell> cells) {
    rows.add(new Row(what, floor, aim, new LinkedHashMap<>(cells)));
    System.err.println(line(rows.getLast()));
  }

  boolean isAnyMissed() {
    return rows.stream().flatMap(row -> row.cells.values().stream()).anyMatch(Cell::isMissed);
  }

  /** In Markdown. */
  String table() {
    var head =
        "| Path | Floor | Aim | "
            + String.join(" | ", subjects)
            + " |\n|---|---|---"
            + "|---".repeat(subjects.size())
            + "|\n";
    return rows.stream().map(this::line).collect(Collectors.joining("\n", head, "\n"));
  }

  private String line(Row row) {
    return subjects.stream()
        .map(subject -> row.cells.containsKey(subject) ? text(row.cells.get(subject)) : "")
        .collect(
            Collectors.joining(
                " | ", "| " + row.what + " | " + row.floor + " | " + row.aim + " | ", " |"));
  }

  private static String text(Cell cell) {
    return cell.value + (cell.isMissed() ? ", **missed**" : "");
  }

  /** Each result as a share of its aim, with the least and the most of its turns. */
  String picture() {
    int height = MARGIN + rows.size() * (LINE * subjects.size() + 8) + 10;
    int width = LABELS + (int) (SCALE * WIDEST) + 20;
    var svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
            .formatted(width, height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    for (int i = 0; i < subjects.size(); i++) {
      svg.append(
          "<text x=\"%d\" y=\"16\" fill=\"%s\">%s</text>%n"
              .formatted(LABELS + i * 80, COLORS[i], subjects.get(i)));
    }
    svg.append("<text x=\"%d\" y=\"28\">aim</text>%n".formatted(LABELS + SCALE - 10));
    int y = MARGIN;
    for (var row : rows) {
      svg.append(
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s (%s)</text>%n"
              .formatted(LABELS - 8, y + 13, escaped(row.what), escaped(row.aim)));
      for (int i = 0; i < subjects.size(); i++) {
        var cell = row.cells.get(subjects.get(i));
        if (cell != null) {
          bar(svg, y, COLORS[i], cell);
        }
        y += LINE;
      }
      y += 8;
    }
    svg.append(
        "<line x1=\"%1$d\" x2=\"%1$d\" y1=\"%2$d\" y2=\"%3$d\" stroke=\"#222222\"/>%n"
            .formatted(LABELS + SCALE, MARGIN - 4, height - 10));
    return svg.append("</svg>\n").toString();
  }

  private static void bar(StringBuilder svg, int y, String color, Cell cell) {
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>%n"
            .formatted(LABELS, y + 2, length(cell.median()), LINE - 4, color));
    svg.append(
        "<line x1=\"%d\" x2=\"%d\" y1=\"%3$d\" y2=\"%3$d\" stroke=\"#222222\" stroke-width=\"2\"/>%n"
            .formatted(LABELS + length(cell.least()), LABELS + length(cell.most()), y + LINE / 2));
  }

  private static int length(double share) {
    return (int) Math.round(SCALE * Math.min(WIDEST, share));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}

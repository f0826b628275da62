package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Infers a shape from all rows of the input; its memory depends on their fields alone. */
final class ShapeInference {
  /** As many fields as a shape may have: {@code docs/model.md}, Shapes. */
  private static final int MAX_FIELDS = 1000;

  private final ObservedObject rows = new ObservedObject();
  private final boolean areCells;
  private long count;

  /**
   * Begins.
   *
   * @param areCells whether the values are texts of a CSV file, whose types must be guessed
   */
  ShapeInference(boolean areCells) {
    this.areCells = areCells;
  }

  void observe(ObjectNode row) {
    count++;
    rows.observe(row, areCells);
  }

  /** How many rows were observed. */
  long rows() {
    return count;
  }

  /**
   * The definition that every row matches.
   *
   * @throws IllegalArgumentException if the rows have more fields than a shape may have; the
   *     message is a sentence
   */
  ObjectNode definition() {
    if (rows.fields() > MAX_FIELDS) {
      throw new IllegalArgumentException(
          "The rows have %,d fields, and a shape may have 1,000.".formatted(rows.fields()));
    }
    ObjectNode definition = Json.MAPPER.createObjectNode();
    definition.set("fields", rows.definition());
    return definition;
  }
}

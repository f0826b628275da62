package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The operations of a segment as they are sent. It has their bytes and where they come from, but
 * not the parsed rows, which would take many times as much.
 */
final class Batch {
  /**
   * Where an operation comes from.
   *
   * @param file the index of the file
   * @param line the line, from 1
   * @param operation what it asks for, such as {@code add}
   * @param end where its line feed is among the bytes
   */
  private record Origin(int file, long line, String operation, int end) {}

  private final List<Origin> origins;
  private final byte[] lines;
  private final long unchanged;

  private Batch(List<Origin> origins, byte[] lines, long unchanged) {
    this.origins = origins;
    this.lines = lines;
    this.unchanged = unchanged;
  }

  /** Makes the operations; the same changes and decisions make the same bytes. */
  static Batch of(List<Change> changes, List<Decision> decisions) {
    List<Origin> origins = new ArrayList<>();
    var lines = new ByteArrayOutputStream();
    long unchanged = 0;
    for (int i = 0; i < changes.size(); i++) {
      var change = changes.get(i);
      var decision = decisions.get(i);
      var text = decision.text(change);
      if (text == null) {
        unchanged++;
      } else {
        lines.writeBytes(text.getBytes(UTF_8));
        origins.add(
            new Origin(change.file(), change.line(), decision.operation(change), lines.size()));
        lines.write('\n');
      }
    }
    return new Batch(origins, lines.toByteArray(), unchanged);
  }

  /** How many operations it has. */
  int size() {
    return origins.size();
  }

  /** How many changes need no operation. */
  long unchanged() {
    return unchanged;
  }

  /** One operation a line. */
  byte[] lines() {
    return lines;
  }

  /** The operations as a JSON array. */
  String array() {
    var text = new String(lines, UTF_8).stripTrailing();
    return "[" + text.replace('\n', ',') + "]";
  }

  /** A part of it, without what is unchanged. */
  Batch part(int from, int to) {
    int begin = from == 0 ? 0 : origins.get(from - 1).end + 1;
    List<Origin> part = new ArrayList<>();
    for (var origin : origins.subList(from, to)) {
      part.add(new Origin(origin.file, origin.line, origin.operation, origin.end - begin));
    }
    int end = origins.get(to - 1).end + 1;
    return new Batch(part, Arrays.copyOfRange(lines, begin, end), 0);
  }

  /** What an operation asks for, such as {@code add}. */
  String operation(int index) {
    return origins.get(index).operation;
  }

  /** The line of the input that an operation comes from, and why it failed. */
  LineFault fault(int index, String code, String detail) {
    var origin = origins.get(index);
    return new LineFault(origin.file, origin.line, code, detail);
  }
}

package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the input into segments. Where they end depends on the input alone, so a run that goes on
 * makes the same ones.
 */
final class SegmentReader {
  private final Input input;
  private final Mapping mapping;
  private final int maxOperations;
  private final int maxBytes;

  /** The change that was read, but had no room in the last segment. */
  private Change waiting;

  /**
   * Begins where the input is.
   *
   * @param maxOperations how many operations a segment may have
   * @param maxBytes how many bytes they may have together; a single one may have more
   */
  SegmentReader(Input input, Mapping mapping, int maxOperations, int maxBytes) {
    this.input = input;
    this.mapping = mapping;
    this.maxOperations = maxOperations;
    this.maxBytes = maxBytes;
  }

  /** The next segment, which has no items at the end of the input. */
  Segment next() throws IOException {
    List<Change> changes = new ArrayList<>();
    List<LineFault> faults = new ArrayList<>();
    long items = 0;
    long bytes = 0;
    while (changes.size() < maxOperations && items < 4L * maxOperations) {
      var change = waiting;
      waiting = null;
      if (change == null) {
        var item = input.next();
        if (item == null) {
          break;
        }
        change = map(item, faults);
      }
      if (change != null) {
        bytes += size(change);
        if (bytes > maxBytes && !changes.isEmpty()) {
          waiting = change;
          break;
        }
        changes.add(change);
      }
      items++;
    }
    return new Segment(items, changes, faults);
  }

  private Change map(Item item, List<LineFault> faults) {
    var fault = item.fault();
    if (fault == null) {
      try {
        return mapping.map(input.file(), item).orElse(null);
      } catch (InputFault e) {
        fault = e.getMessage();
      }
    }
    faults.add(new LineFault(input.file(), item.line(), LineFault.INVALID_INPUT, fault));
    return null;
  }

  /** At least as much as the operation takes when it is sent, also as a revise. */
  private static long size(Change change) {
    return change.text().getBytes(UTF_8).length + 24L;
  }
}

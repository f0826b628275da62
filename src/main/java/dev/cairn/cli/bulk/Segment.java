package dev.cairn.cli.bulk;

import java.util.List;

/**
 * A part of the input that is sent at once.
 *
 * @param items how many items of the input it has, with those that are faulty or left out
 * @param changes what they ask for
 * @param faults the items that cannot be imported
 */
record Segment(long items, List<Change> changes, List<LineFault> faults) {
  boolean isEnd() {
    return items == 0;
  }
}

package dev.cairn.cli.bulk;

import java.util.List;

/**
 * What became of a batch.
 *
 * @param tally the counts
 * @param faults the operations that failed, as far as they are known: those that failed before an
 *     interruption are only counted
 */
record Outcome(Tally tally, List<LineFault> faults) {}

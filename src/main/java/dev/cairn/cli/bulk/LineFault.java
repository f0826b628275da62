package dev.cairn.cli.bulk;

/**
 * A line of the input that was not imported.
 *
 * @param file the index of the file
 * @param line the line, from 1
 * @param code the error code of the service, or {@code INVALID_INPUT} if the line was not sent
 * @param detail why, as a sentence
 */
record LineFault(int file, long line, String code, String detail) {
  /** The code of faults that are found before anything is sent. */
  static final String INVALID_INPUT = "INVALID_INPUT";
}

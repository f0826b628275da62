package dev.cairn.cli.output;

/** For whom the standard output is written. */
public enum Format {
  /** For people on a terminal, and otherwise as lines of values with tabs. */
  TEXT,
  /** The answer of the API as one JSON document. */
  JSON,
  /** One item of the API's answer a line. */
  JSON_LINES
}

package dev.cairn.content;

/**
 * SQL for payloads, which are stored as JSON text with marks around each reference; see {@code
 * docs/architecture.md}, Stored data.
 */
public final class StoredText {
  private StoredText() {}

  /** The payload of a column without its marks, as JSON text. */
  public static String plain(String column) {
    return "replace(" + column + ", chr(1), '')";
  }
}

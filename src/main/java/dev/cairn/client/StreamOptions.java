package dev.cairn.client;

/**
 * How a stream is submitted: {@code docs/streams.md}, The request.
 *
 * @param message the message of every commit; null for none
 * @param author the author of every commit; null for the caller
 * @param atomic whether all operations become one commit, or none is applied
 * @param idempotencyKey 1 to 255 visible ASCII characters, with which an interrupted submission can
 *     be sent again; null for none
 * @param gzip whether the operations are compressed while they are sent
 */
public record StreamOptions(
    @Nullable String message,
    @Nullable String author,
    boolean atomic,
    @Nullable String idempotencyKey,
    boolean gzip) {
  /** Operations that are applied as they come, and cannot be sent again. */
  public static final StreamOptions DEFAULT = new StreamOptions(null, null, false, null, false);

  /** The same with a message for every commit. */
  public StreamOptions withMessage(String text) {
    return new StreamOptions(text, author, atomic, idempotencyKey, gzip);
  }

  /** The same as one commit. */
  public StreamOptions allOrNothing() {
    return new StreamOptions(message, author, true, idempotencyKey, gzip);
  }

  /** The same with a key. */
  public StreamOptions withIdempotencyKey(String key) {
    return new StreamOptions(message, author, atomic, key, gzip);
  }

  /** The same, compressed. */
  public StreamOptions compressed() {
    return new StreamOptions(message, author, atomic, idempotencyKey, true);
  }
}

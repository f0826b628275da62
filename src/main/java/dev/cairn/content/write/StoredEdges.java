package dev.cairn.content.write;

/**
 * The references of a stored version; how many there are is not known.
 *
 * @param id of the entity
 * @param version the number of the version
 * @param bytes of its payload, which bound how many there are
 */
public record StoredEdges(long id, int version, int bytes) {
  /** The bytes of the shortest reference in a payload: {@code "S@v1"}. */
  private static final int MIN_BYTES = 6;

  /** The maximum number of references, at least 1. */
  int max() {
    return 1 + bytes / MIN_BYTES;
  }
}

package dev.cairn.commit;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;

/**
 * Bounds what a commit stores again by operations of a few bytes that change only the state of an
 * entity. See {@code docs/api.md}, Limits.
 */
final class RepeatedData {
  /** Maximum bytes that versions without new data store again. */
  private static final int MAX_BYTES = 64 * 1024 * 1024;

  /**
   * How many bytes a version of a stored entity stores at most, as a multiple of its data, besides
   * the pointers to its references.
   */
  private static final int STORED_SIZE = 16;

  /** The length that counts for data that the token may not read. */
  private static final long HIDDEN_LENGTH = 1_048_576;

  /** Characters of the shortest reference in stored data. */
  private static final int SHORTEST_REFERENCE = 8;

  private static final int BYTES_OF_CHARACTER = 3;

  private final Allowance bytes = new Allowance(MAX_BYTES);

  /**
   * Counts a further version of an entity with the data that it has. The first such version of a
   * stored entity is free, since it stores at most what is there.
   *
   * @param mayRead whether the token may read it: otherwise its length must not show, so that it
   *     counts as the longest
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if it is too much
   */
  void take(EntityState entity, boolean mayRead) {
    if (entity.version > entity.storedVersion && !bytes.take(size(entity, mayRead))) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "Repeated retracts and restores of the same entities may store at most %,d bytes in one commit."
                  .formatted(MAX_BYTES))
          .hint("Change the state of an entity once in a commit.");
    }
  }

  private static long size(EntityState entity, boolean mayRead) {
    var planned = entity.lastPlanned;
    long stored = mayRead ? entity.storedLength() : HIDDEN_LENGTH;
    return planned == null
        ? STORED_SIZE * stored + pointersOf(stored)
        : (long) BYTES_OF_CHARACTER * entity.payloadLength
            + planned.references().stream()
                .mapToLong(reference -> StoredBytes.REFERENCE + reference.pointer().length())
                .sum();
  }

  /**
   * The characters of all pointers to the references in stored data of a length, at most: it has as
   * many references as fit, each below names that are no longer than the data.
   */
  private static long pointersOf(long length) {
    return Math.min(PayloadRules.MAX_POINTER_CHARACTERS, length * length / SHORTEST_REFERENCE);
  }
}

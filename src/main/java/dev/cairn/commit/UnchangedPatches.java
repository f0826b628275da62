package dev.cairn.commit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.List;

/**
 * Bounds the payloads that the patches of one atomic submission leave as they are: each is read and
 * compared, and nothing is stored that would count for it. A patch of 60 bytes may do that with the
 * payload of a MiB. See {@code docs/streams.md}, All or nothing.
 */
final class UnchangedPatches {
  /** Maximum bytes of all of them, */
  private static final long MAX_BYTES = 256L * 1024 * 1024;

  /** and so many more for each operation of the submission so far. */
  private static final long BYTES_OF_OPERATION = 4L * 1024;

  private final long max;
  private final long ofOperation;
  private long bytes;
  private long operations;

  UnchangedPatches() {
    this(MAX_BYTES, BYTES_OF_OPERATION);
  }

  /**
   * With other limits.
   *
   * @param max maximum bytes
   * @param ofOperation bytes that each operation adds to them
   */
  UnchangedPatches(long max, long ofOperation) {
    this.max = max;
    this.ofOperation = ofOperation;
  }

  /**
   * Counts the operations of a part.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if patches have left too much as it was
   */
  void add(List<SubmittedOperation> part, CommitPlan plan) {
    operations += part.size();
    plan.results.stream()
        .filter(result -> result.status() == OperationResult.Status.NOOP)
        .filter(result -> part.get(result.opIndex()).patch() != null)
        .forEach(result -> bytes += length(result.entity()));
    requireRoom();
  }

  private static int length(EntityState entity) {
    return entity.lastPlanned == null ? entity.storedLength() : entity.payloadLength;
  }

  private void requireRoom() {
    if (bytes > max + ofOperation * operations) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The patches of this submission leave more than %,d bytes of payloads as they are."
                  .formatted(max))
          .with("limit", "unchanged-patches")
          .hint("Send only patches that change something, or send them with `atomic=false`.");
    }
  }
}

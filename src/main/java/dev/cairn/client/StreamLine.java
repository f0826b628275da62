package dev.cairn.client;

import java.util.List;

/** A line of the answer to a streaming submission: {@code docs/streams.md}, Result lines. */
public sealed interface StreamLine {
  /**
   * The result of an operation.
   *
   * @param line the number of the line in the body, from 1
   * @param opIndex the number of the operation, from 0
   * @param opId the client's own label; null if it has none
   * @param status whether it was applied; {@code replayed} if it was dealt with when the submission
   *     was sent before
   * @param operation the effect, {@code revise} for a retract; null if absent
   * @param wref the entity after the operation; null if absent
   * @param name the name without the shape; null if absent
   * @param kind the kind of the entity; null if absent
   * @param version the version, from 1; null if absent
   * @param dataHash the SHA-256 of the data's canonical JSON; null if absent
   * @param repoSeq the sequence number of the commit; null if nothing was committed
   * @param warnings what to look at; null if nothing
   * @param error why it failed; null if it did not
   */
  record Result(
      long line,
      long opIndex,
      @Nullable String opId,
      @Values({"applied", "noop", "replayed", "error"}) String status,
      @Nullable String operation,
      @Nullable String wref,
      @Nullable String name,
      @Nullable String kind,
      @Nullable Integer version,
      @Nullable String dataHash,
      @Nullable Long repoSeq,
      @Nullable List<String> warnings,
      @Nullable OperationResult.Failure error)
      implements StreamLine {}

  /**
   * Why a submission ended early; its summary follows.
   *
   * @param error the reason; {@code CONFLICT}, {@code UNAVAILABLE} and so on
   */
  record Ended(OperationResult.Failure error) implements StreamLine {}

  /**
   * The last line.
   *
   * @param streamId the stream
   * @param submissionId the submission
   * @param commitId the last commit; null if nothing was written
   * @param repoSeq the sequence number of the last commit; null if nothing was written
   * @param operationCount how many operations were dealt with, now or before
   * @param applied how many of them were applied
   * @param noop how many of them changed nothing
   * @param errors how many of them failed
   * @param partial whether some failed, or the submission ended early
   */
  record Summary(
      String streamId,
      String submissionId,
      @Nullable String commitId,
      @Nullable Long repoSeq,
      long operationCount,
      long applied,
      long noop,
      long errors,
      boolean partial)
      implements StreamLine {}
}

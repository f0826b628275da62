package dev.cairn.client;

import java.util.List;

/**
 * The result of a batch. {@code commitId}, {@code repoSeq}, {@code author} and {@code createdAt}
 * are present if a commit was made, {@code message} if it has one.
 *
 * @param commitId a commit; the first 8 bytes of its hash; null if absent
 * @param repoSeq the repository's sequence number; the first commit makes it 1; null if absent
 * @param author the author's name; null if absent
 * @param message the reason for the commit; null if absent
 * @param createdAt when it was made; null if absent
 * @param operationCount the number of operations in the request
 * @param partial present with {@code atomic: false} if an operation failed; null if absent
 * @param effects present with {@code return=summary}; null if absent
 * @param operations one result for each operation, in order; with {@code return=summary} only those
 *     with errors or warnings
 */
public record CommitAnswer(
    @Nullable String commitId,
    @Nullable Long repoSeq,
    @Nullable String author,
    @Nullable String message,
    @Nullable Long createdAt,
    int operationCount,
    @Nullable Boolean partial,
    @Nullable Effects effects,
    List<OperationResult> operations) {}

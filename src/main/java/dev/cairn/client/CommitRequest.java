package dev.cairn.client;

import java.util.List;

/**
 * A batch of operations.
 *
 * @param operations the operations, applied in order
 * @param message the reason for the commit; null if absent
 * @param author the author's name; by default the caller's display name. The account that sent the
 *     commit is stored too; null if absent
 * @param atomic {@code false}: apply as many operations as possible, see {@code docs/commits.md},
 *     Errors; null if absent
 * @param dryRun {@code true}: return the same answer, but write nothing; null if absent
 */
public record CommitRequest(
    List<Operation> operations,
    @Nullable String message,
    @Nullable String author,
    @Nullable Boolean atomic,
    @Nullable Boolean dryRun) {}

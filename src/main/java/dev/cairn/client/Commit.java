package dev.cairn.client;

/**
 * A commit.
 *
 * @param commitId a commit; the first 8 bytes of its hash
 * @param repoSeq the repository's sequence number; the first commit makes it 1
 * @param author the author's name
 * @param message the reason for the commit; null if absent
 * @param createdAt when it was made
 * @param operationCount the number of operations in the request
 * @param hash the hash over this commit and all before it
 * @param parentHash the hash of the previous commit; zeros for the first one
 */
public record Commit(
    String commitId,
    long repoSeq,
    String author,
    @Nullable String message,
    long createdAt,
    int operationCount,
    String hash,
    String parentHash) {}

package dev.cairn.content;

import java.time.Instant;
import java.util.UUID;

/**
 * What the rows of a commit have of it, known before its hash is.
 *
 * @param seq its sequence number
 * @param author who is named as its author
 */
public record CommitStamp(UUID repoId, long seq, String author, Instant createdAt) {}

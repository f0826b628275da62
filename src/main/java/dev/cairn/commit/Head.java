package dev.cairn.commit;

/** The row that a commit locks: the repository's newest sequence number and what continues it. */
record Head(long seq, long nextEntityId, byte[] hash) {}

package dev.cairn.commit;

/**
 * The row that a commit locks: the repository's newest sequence number and what continues it.
 *
 * @param watchers counts the changes of who watches the repository; 0 where nobody ever did
 */
record Head(long seq, long nextEntityId, byte[] hash, long watchers) {}

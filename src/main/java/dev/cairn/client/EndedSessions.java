package dev.cairn.client;

/**
 * The number of sessions that were ended.
 *
 * @param ok it was done
 * @param ended the number of sessions
 */
public record EndedSessions(boolean ok, int ended) {}

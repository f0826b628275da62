package dev.cairn.client;

import java.util.List;

/**
 * A page of sessions.
 *
 * @param items the sessions
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record SessionPage(List<Session> items, @Nullable String nextCursor)
    implements Page<Session> {}

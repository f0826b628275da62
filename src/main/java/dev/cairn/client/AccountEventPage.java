package dev.cairn.client;

import java.util.List;

/**
 * A page of an account's audit log.
 *
 * @param items the events
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record AccountEventPage(List<AccountEvent> items, @Nullable String nextCursor)
    implements Page<AccountEvent> {}

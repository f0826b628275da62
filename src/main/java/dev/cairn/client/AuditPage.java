package dev.cairn.client;

import java.util.List;

/**
 * A page of the audit log.
 *
 * @param items the events
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record AuditPage(List<AuditEvent> items, @Nullable String nextCursor)
    implements Page<AuditEvent> {}

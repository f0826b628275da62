package dev.cairn.client;

import java.util.List;

/**
 * A page of differences.
 *
 * @param items the differences
 * @param nextCursor an opaque cursor for the next page; null on the last page
 * @param repoSeq the {@code repoSeq} of the commit that the list shows, to read more of it with
 *     {@code at}; on the first page; null if absent
 */
public record DifferencePage(
    List<Difference> items, @Nullable String nextCursor, @Nullable Long repoSeq)
    implements Page<Difference> {}

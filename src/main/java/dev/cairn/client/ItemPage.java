package dev.cairn.client;

import java.util.List;

/**
 * A page of items.
 *
 * @param items the items
 * @param nextCursor an opaque cursor for the next page; null on the last page
 * @param repoSeq the {@code repoSeq} of the commit that the list shows, to read more of it with
 *     {@code at}; on the first page; null if absent
 * @param warnings why the answer is empty, if a filter names something that does not exist; null if
 *     absent
 */
public record ItemPage(
    List<Item> items,
    @Nullable String nextCursor,
    @Nullable Long repoSeq,
    @Nullable List<String> warnings)
    implements Page<Item> {}

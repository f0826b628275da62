package dev.cairn.client;

import java.util.List;

/**
 * A page of hits.
 *
 * @param items the hits, the best first
 * @param facets the numbers of hits, on the first page if they were requested; null if absent
 * @param indexedSeq the commit to which the index is complete; 0 if to none
 * @param warnings why the answer is empty, if a filter names something that does not exist; null if
 *     absent
 * @param repoSeq the {@code repoSeq} of the commit that the list shows, to read more of it with
 *     {@code at}; on the first page; null if absent
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record HitPage(
    List<Hit> items,
    @Nullable Facets facets,
    long indexedSeq,
    @Nullable List<String> warnings,
    @Nullable Long repoSeq,
    @Nullable String nextCursor)
    implements Page<Hit> {}

package dev.cairn.client;

import java.util.List;

/**
 * An entity and the assertions about it, at one moment.
 *
 * @param target the entity
 * @param assertions a page of assertions
 * @param nextCursor an opaque cursor for the next page; null on the last page
 * @param repoSeq the {@code repoSeq} of the commit that the list shows, to read more of it with
 *     {@code at}; on the first page; null if absent
 */
public record AboutAnswer(
    Item target, List<Assertion> assertions, @Nullable String nextCursor, @Nullable Long repoSeq) {}

package dev.cairn.client;

import java.util.List;

/**
 * A page of components.
 *
 * @param items the components
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record ComponentPage(List<ListedComponent> items, @Nullable String nextCursor)
    implements Page<ListedComponent> {}

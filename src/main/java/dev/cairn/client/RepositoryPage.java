package dev.cairn.client;

import java.util.List;

/**
 * A page of repositories.
 *
 * @param items the repositories
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record RepositoryPage(List<Repository> items, @Nullable String nextCursor)
    implements Page<Repository> {}

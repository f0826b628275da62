/**
 * Lists and their pages: cursors, the rows of a page, the header {@code Link}, and the JSON of
 * answers whose payloads come from the database as bytes. See {@code docs/api.md}, Pagination.
 *
 * <p>It calls {@code http}, {@code database}, {@code secret}, {@code platform} and {@code model}.
 * Start reading at {@link dev.cairn.platform.page.Pager}.
 */
package dev.cairn.platform.page;

/**
 * Filters of operations, by which subscriptions select what they react to, and the index that finds
 * the filters that an operation may match. See {@code docs/subscriptions.md}, Filters.
 *
 * <p>It calls {@code model.glob} and {@code model} and nothing else. Start reading at {@link
 * dev.cairn.model.filter.OperationFilter}.
 */
package dev.cairn.model.filter;

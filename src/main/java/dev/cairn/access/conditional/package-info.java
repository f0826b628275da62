/**
 * Conditional requests by {@code ETag}, and requests that are repeated with an idempotency key. See
 * {@code docs/api.md}, Conditional requests and caching, and {@code docs/commits.md}.
 *
 * <p>It calls {@code limit}, {@code access}, {@code platform} and {@code model}. Start reading at
 * {@link dev.cairn.access.conditional.ConditionalReads} and {@link
 * dev.cairn.access.conditional.IdempotencyKeys}.
 */
package dev.cairn.access.conditional;

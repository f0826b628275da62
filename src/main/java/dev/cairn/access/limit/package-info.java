/**
 * Limits of what callers do and store: rate limits, quotas, stored bytes, and how many reads and
 * changes have connections to the database at a time. The rules are in {@code docs/limits.md}.
 *
 * <p>It calls {@code access}, {@code work}, {@code platform} and {@code model}. Start reading at
 * {@link dev.cairn.access.limit.RateLimiter}, {@link dev.cairn.access.limit.Quotas} and {@link
 * dev.cairn.access.limit.ReadBounds}.
 */
package dev.cairn.access.limit;

/**
 * Limits of concurrency: how much work for one key, such as an account or a repository, this
 * replica does at a time, so that the work of others finds connections. See {@code docs/limits.md},
 * Fair shares.
 *
 * <p>It calls {@code database}, {@code platform} and {@code model}. Start reading at {@link
 * dev.cairn.platform.limiter.KeyedLimiter} and {@link dev.cairn.platform.limiter.FairShare}.
 */
package dev.cairn.platform.limiter;

/**
 * Subscriptions: actions for commits, by filters, and for schedules; and the credential sets with
 * the secrets of their calls.
 *
 * <pre>
 *   active ──pause──▶ inactive ──resume──▶ active        either ──delete──▶ gone
 * </pre>
 *
 * <p>Every change by a caller of what watches a repository raises {@code repository_head.watchers}
 * of that repository in its own transaction. A commit locks that row, so it knows whether the
 * cached filters in {@link dev.cairn.subscription.Watchers} are current, except for what the
 * service itself has paused: that gets no run, whatever is cached.
 *
 * <p>A subscription acts with the rights of its principal: {@link
 * dev.cairn.subscription.PrincipalRules} has what a change of it requires.
 *
 * <p>Start reading at {@link dev.cairn.subscription.Subscriptions}; the rules are in {@code
 * docs/subscriptions.md} and {@code docs/credentials.md}. Runs are the concern of {@code action},
 * which calls this package.
 */
package dev.cairn.subscription;

/**
 * What is to happen when something is committed or a time comes: subscriptions with their filters
 * and schedules, and the secrets that go with their calls.
 *
 * <pre>
 *   active ──pause──▶ inactive ──resume──▶ active        either ──delete──▶ gone
 * </pre>
 *
 * <p>Every change of what watches a repository raises {@code repository_head.watchers} of that
 * repository in its own transaction. A commit, which holds the row, so knows whether the compiled
 * filters in {@link dev.cairn.subscription.Watchers} are those of now.
 *
 * <p>A subscription acts with the rights of its principal: {@link
 * dev.cairn.subscription.PrincipalRules} says what a change of it takes.
 *
 * <p>Start reading at {@link dev.cairn.subscription.Subscriptions}; the rules are in {@code
 * docs/subscriptions.md} and {@code docs/credentials.md}. What comes of a match is the concern of
 * {@code action}, which calls this package.
 */
package dev.cairn.subscription;

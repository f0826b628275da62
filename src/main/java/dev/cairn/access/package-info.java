/**
 * Who is calling and what they may do: accounts, sign-in, {@link dev.cairn.access.Sessions},
 * tokens, rate limits, {@link dev.cairn.access.Quotas}, audit logs, and the one {@link
 * dev.cairn.access.Authorizer}.
 *
 * <p>The services of repository content take a {@link dev.cairn.access.RepositoryAccess}, which
 * only the Authorizer makes: code that has no access object cannot call them. The rules are in
 * {@code docs/access.md}.
 */
package dev.cairn.access;

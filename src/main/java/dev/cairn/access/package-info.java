/**
 * Who is calling and what they may do: the caller, roles, permissions, scopes, and the one {@link
 * dev.cairn.access.Authorizer}. Its sub-packages are:
 *
 * <pre>
 * authentication   accounts, sign-in, access tokens, the caller of a request
 * token            personal access tokens, service tokens, component tokens
 * session          sessions, refresh tokens
 * conditional      entity tags, conditional requests, idempotency keys
 * limit            rate limits, quotas, limits of concurrency
 * audit            the audit logs of accounts and organizations
 * </pre>
 *
 * <p>Each of them may call those below it as {@code ArchitectureTest} lists, and this package,
 * which calls none of them: {@code authentication} implements its {@link
 * dev.cairn.access.TokenVerification}, and {@code limit} its {@link dev.cairn.access.LookUpLimit}.
 *
 * <p>The services of repository content take a {@link dev.cairn.access.RepositoryAccess}, which
 * only the Authorizer makes: code that has no access object cannot call them. The rules are in
 * {@code docs/access.md}.
 */
package dev.cairn.access;

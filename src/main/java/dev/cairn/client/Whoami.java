package dev.cairn.client;

import java.util.List;

/**
 * The caller.
 *
 * @param authenticated whether the caller is known
 * @param kind how the caller authenticated
 * @param account the account; null for an anonymous caller
 * @param token the personal access token; null for a sign-in
 * @param orgsNext path and query of {@code GET /api/orgs} for the rest of the list; null if there
 *     are no more. For a narrowed token, that list has only the organizations that {@code org:read}
 *     covers
 * @param orgs the first 200 organizations, by name, that the token covers
 */
public record Whoami(
    boolean authenticated,
    @Values({"jwt", "pat", "service", "component", "anonymous"}) String kind,
    @Nullable Account account,
    @Nullable Token token,
    @Nullable String orgsNext,
    List<Membership> orgs) {
  /**
   * The personal access token; absent for a sign-in.
   *
   * @param name its name
   * @param scopes the scopes that it is narrowed to; null if it is not narrowed
   * @param expiresAt when it expires
   */
  public record Token(String name, @Nullable List<ScopeEntry> scopes, long expiresAt) {}

  /**
   * A membership.
   *
   * @param name the organization
   * @param role a role in an organization; each role includes the previous ones
   */
  public record Membership(
      String name, @Values({"viewer", "editor", "admin", "owner"}) String role) {}
}

package dev.cairn.access;

import dev.cairn.model.glob.Glob;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * One entry of a token's scopes.
 *
 * @param resource {@code org/repo} or {@code org} as it was written, null for everything
 * @param orgId the organization, null for everything
 * @param repoId the repository, null for all of them
 * @param allowedMatches which wrefs; empty for all of them, an empty list for none
 */
public record Scope(
    String resource,
    UUID orgId,
    UUID repoId,
    Set<Permission> permissions,
    Optional<List<Glob>> allowedMatches) {

  /** Whether it covers the organization or, if {@code repo} is not null, that repository. */
  boolean covers(UUID org, UUID repo) {
    return (orgId == null || orgId.equals(org)) && (repoId == null || repoId.equals(repo));
  }

  /** Higher for fewer resources; the most specific entry decides. */
  int specificity() {
    return (orgId == null ? 0 : 1) + (repoId == null ? 0 : 1);
  }

  /**
   * Whether it gives a permission. One of organizations has no effect on an entry for a repository.
   */
  boolean gives(Permission permission) {
    return permissions.contains(permission) && (repoId == null || permission.isOfRepositories());
  }

  /** Whether any of its permissions is about repositories. */
  boolean speaksOfRepositories() {
    return permissions.stream().anyMatch(Permission::isOfRepositories);
  }

  /** The entry as it was written. */
  public ScopeEntry entry() {
    return entry(resource);
  }

  /** The entry with another name of its resource. */
  public ScopeEntry entry(String name) {
    return new ScopeEntry(
        name,
        permissions.stream().sorted().map(Permission::scope).toList(),
        allowedMatches.map(globs -> globs.stream().map(Glob::toString).toList()).orElse(null));
  }
}

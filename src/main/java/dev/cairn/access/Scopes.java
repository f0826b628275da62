package dev.cairn.access;

import dev.cairn.model.glob.Glob;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The scopes of a token, to which the rights of its account are narrowed. Scopes are independent:
 * {@code repo:write} does not include {@code repo:read}. Among the entries that carry a permission
 * and cover the target the most specific one decides: repository, then organization, then
 * everything.
 *
 * @param entries empty for an unrestricted token
 */
public record Scopes(List<Scope> entries) {
  /** The scopes of an unrestricted token. */
  public static final Scopes UNRESTRICTED = new Scopes(List.of());

  private static final int BYTES_OF_ENTRY = 1_000;
  private static final Pattern WHITE_SPACE = Pattern.compile("\\p{IsWhite_Space}+");

  /** Copies the entries. */
  public Scopes {
    entries = List.copyOf(entries);
  }

  /**
   * The scopes in the {@code scope} claim of an access token: permissions for all resources.
   *
   * @param claim names separated by spaces; null if the client requested no restriction
   */
  public static Scopes ofClaim(String claim) {
    if (claim == null) {
      return UNRESTRICTED;
    }
    return ofNames(List.of(claim.split(" ", -1)));
  }

  /**
   * The same for an external issuer, whose scopes may concern other services. Only names that are
   * meant as permissions of Cairn count ({@link Permission#isMeantBy}); without any, the token is
   * unrestricted. Such a name that this version does not know grants nothing, but still narrows the
   * token.
   *
   * @param claim names separated by white space of any kind
   */
  public static Scopes ofForeignClaim(String claim) {
    var names = List.of(WHITE_SPACE.split(claim, -1));
    return names.stream().anyMatch(Permission::isMeantBy) ? ofNames(names) : UNRESTRICTED;
  }

  private static Scopes ofNames(List<String> names) {
    var permissions =
        names.stream()
            .map(Permission::of)
            .flatMap(Optional::stream)
            .collect(Collectors.toUnmodifiableSet());
    return new Scopes(List.of(new Scope(null, null, null, permissions, Optional.empty())));
  }

  /** Whether the token is unrestricted. */
  public boolean isUnrestricted() {
    return entries.isEmpty();
  }

  /**
   * The narrowing of a permission.
   *
   * @param repoId null if the organization itself is the target
   * @return the wrefs for which the token carries the permission; empty if it does not carry it
   */
  Optional<Narrowing> narrowing(Permission permission, UUID orgId, UUID repoId) {
    if (isUnrestricted()) {
      return Optional.of(Narrowing.UNRESTRICTED);
    }
    return entries.stream()
        .filter(e -> e.gives(permission) && e.covers(orgId, repoId))
        .max(Comparator.comparingInt(Scope::specificity))
        .map(e -> Narrowing.to(e.allowedMatches()));
  }

  /**
   * The scopes of a token that may do nothing but read one repository, and there what this one may
   * read. The patterns are the same objects.
   *
   * @param resource the repository's name, as {@code org/repo}
   * @return empty if this token may not read the repository
   */
  public Optional<Scopes> reading(String resource, UUID orgId, UUID repoId) {
    return narrowing(Permission.REPO_READ, orgId, repoId)
        .map(
            narrowing ->
                narrowing.isUnrestricted()
                    ? Optional.<List<Glob>>empty()
                    : Optional.of(narrowing.patterns()))
        .map(matches -> new Scope(resource, orgId, repoId, Set.of(Permission.REPO_READ), matches))
        .map(scope -> new Scopes(List.of(scope)));
  }

  /** Whether the token carries a permission for an organization itself. */
  public boolean carry(Permission permission, UUID orgId) {
    return narrowing(permission, orgId, null).isPresent();
  }

  /** The organizations for which the token carries a permission; empty for all of them. */
  public Optional<Set<UUID>> organizations(Permission permission) {
    var carrying = entries.stream().filter(e -> e.gives(permission) && e.repoId() == null).toList();
    return isUnrestricted() || carrying.stream().anyMatch(e -> e.orgId() == null)
        ? Optional.empty()
        : Optional.of(carrying.stream().map(Scope::orgId).collect(Collectors.toSet()));
  }

  /**
   * The repositories of an organization for which the token carries a permission; empty for all.
   */
  Optional<Set<UUID>> repositories(Permission permission, UUID orgId) {
    var carrying = carrying(permission, orgId);
    return isUnrestricted() || carrying.stream().anyMatch(e -> e.repoId() == null)
        ? Optional.empty()
        : Optional.of(carrying.stream().map(Scope::repoId).collect(Collectors.toSet()));
  }

  /** Whether the token carries a permission for all of every repository of an organization. */
  boolean carryForAll(Permission permission, UUID orgId) {
    var carrying = carrying(permission, orgId);
    return isUnrestricted()
        || (carrying.stream().anyMatch(e -> e.repoId() == null)
            && carrying.stream().allMatch(e -> e.allowedMatches().isEmpty()));
  }

  private List<Scope> carrying(Permission permission, UUID orgId) {
    return entries.stream()
        .filter(e -> e.gives(permission))
        .filter(e -> e.orgId() == null || e.orgId().equals(orgId))
        .toList();
  }

  /**
   * Whether any entry covers a repository. If so, the token can do there only what its entries
   * allow, even if the repository is public.
   */
  boolean cover(UUID orgId, UUID repoId) {
    return isUnrestricted()
        || entries.stream().anyMatch(e -> e.speaksOfRepositories() && e.covers(orgId, repoId));
  }

  /** The organizations that the entries name, also as part of a repository's name. */
  public Set<UUID> named() {
    return entries.stream()
        .map(Scope::orgId)
        .filter(Objects::nonNull)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether the token covers organizations that it does not name. */
  public boolean reachEverywhere() {
    return isUnrestricted() || entries.stream().anyMatch(e -> e.orgId() == null);
  }

  /** An upper estimate of the bytes of memory that they take once their patterns are compiled. */
  public int bytes() {
    return bytes(Glob::bytes);
  }

  /** The same before they are compiled. */
  public int bytesOfTexts() {
    return bytes(Glob::bytesOfText);
  }

  private int bytes(ToIntFunction<Glob> ofPattern) {
    int patterns =
        entries.stream()
            .flatMap(entry -> entry.allowedMatches().stream())
            .flatMap(List::stream)
            .mapToInt(ofPattern)
            .sum();
    return BYTES_OF_ENTRY * (1 + entries.size()) + patterns;
  }
}

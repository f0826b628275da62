package dev.cairn.subscription;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The calls that a change of a credential set changes, or can change later: those of subscriptions
 * and notification URLs that are bound to its name, and of methods that it signs. New variables can
 * change what a command does, and new values where the receiver of a call stores it, so they take
 * the same rights as changing the subscription. The rules are in {@code docs/credentials.md},
 * Changes of what is bound. An organization may have very many of them, so they are judged by
 * repository.
 */
@ApplicationScoped
class BoundCalls {
  private final Database database;
  private final Authorizer authorizer;
  private final Recheck recheck;
  private final Sources sources;

  /**
   * The calls of a repository that are bound.
   *
   * @param repository as {@code org/repo}
   * @param tokenPermissions of the tokens that its sprites get, all together
   * @param hasSprites whether any of them runs a command
   */
  private record Bound(
      UUID repoId, String repository, Set<Permission> tokenPermissions, boolean hasSprites) {}

  /** The parameters are those of {@link #find}. */
  private static final String BOUND =
      """
      with bound as (
        select s.repo_id, s.source_repo_id, s.token_permissions,
               s.sprite_config is not null as is_sprite
        from subscription s join repository r on r.id = s.repo_id
        where s.credential_set = ? and r.org_id = ? and (?::uuid is null or r.id = ?::uuid)
        union all
        select r.id, null, '{}', false
        from repository r
        where r.settings::json #>> '{notifications,credentialSetName}' = ?
          and r.org_id = ? and (?::uuid is null or r.id = ?::uuid))
      """;

  /**
   * SQL: whether a set with a name, its parameter, signs calls of methods of the version {@code v}.
   * Manifests are canonical JSON, which may contain what jsonb cannot.
   */
  static final String SIGNS = "position('\"credentialSet\":\"' || ? || '\"' in v.manifest) > 0";

  /** The repositories with components that are installed, whose methods the set signs. */
  private static final String SIGNED =
      """
      , used as materialized (
        select distinct i.component_id, n.number
        from component_install i
        join repository r on r.id = i.repo_id
        cross join lateral (values (i.number), (i.complete_number)) n (number)
        where r.org_id = ? and (?::uuid is null or r.id = ?::uuid)
          and i.state in ('installing', 'installed') and n.number is not null),
      signed as (
        select u.component_id, u.number
        from used u
        cross join lateral (
          select * from component_version x
          where x.component_id = u.component_id and x.number = u.number offset 0) v
        where %s),
      calls as (
        select * from bound
        union all
        select r.id, null, '{}', false
        from signed s
        join component_install i on i.component_id = s.component_id
          and s.number in (i.number, i.complete_number) and i.state in ('installing', 'installed')
        join repository r on r.id = i.repo_id
        where r.org_id = ? and (?::uuid is null or r.id = ?::uuid))
      """
          .formatted(SIGNS);

  BoundCalls(Database database, Authorizer authorizer, Recheck recheck, Sources sources) {
    this.database = database;
    this.recheck = recheck;
    this.authorizer = authorizer;
    this.sources = sources;
  }

  /**
   * Refuses keys that no sprite may have as variables, if sprites are bound.
   *
   * @param repoId null for a set of the organization
   * @param keys the names of all keys that get a value
   * @throws Problem {@code VALIDATION_ERROR}
   */
  void refuseUnfit(UUID orgId, UUID repoId, String name, Set<String> keys) {
    var refused = SpriteVariables.firstRefused(keys);
    if (refused.isPresent() && find(orgId, repoId, name).stream().anyMatch(Bound::hasSprites)) {
      throw Problem.invalid(IJson.pointer("/keys", refused.get()), SpriteVariables.RULE)
          .hint("The credential set is bound to a sprite.");
    }
  }

  /**
   * Refuses a caller that may not change what is bound. Its principals stay the same: each value
   * counts only while the account that set it may still set it ({@link CredentialSets#open}).
   *
   * @param repoId null for a set of the organization
   * @throws Problem {@code FORBIDDEN} if the caller may not change what one of them does
   */
  void requireToChange(Caller.SignedIn caller, UUID orgId, UUID repoId, String name) {
    var found = find(orgId, repoId, name);
    if (found.isEmpty()) {
      return;
    }
    var watched = watched(orgId, repoId, name);
    requireToAct(caller, found, watched); // before others wait for the locks
    lock(orgId, found, watched);
    requireToAct(caller, find(orgId, repoId, name), watched(orgId, repoId, name));
  }

  /**
   * Whether a component of the organization names the set for its setup call, which takes {@code
   * repo:configure} on the organization.
   */
  boolean isUsedBySetupCall(UUID orgId, String name) {
    return database
        .first(
            """
            select from component
            where org_id = ? and credential_set = ? and deregistered_at is null limit 1
            """,
            _ -> true,
            orgId,
            name)
        .isPresent();
  }

  /**
   * Whether subscriptions that do not belong to an install, the notification URL, or methods of
   * another install are bound to a name: a new set of the repository would change what they send,
   * or what their calls are signed with.
   */
  boolean isBoundElsewhere(UUID repoId, UUID installId, String name) {
    return database
        .first(
            """
            select from repository r
            where r.id = ? and (r.settings::json #>> '{notifications,credentialSetName}' = ?
              or exists (
                select from subscription s
                where s.repo_id = r.id and s.credential_set = ?
                  and s.install_id is distinct from ?::uuid)
              or exists (
                select from component_install i
                join component_version v on v.component_id = i.component_id
                  and v.number = i.complete_number
                where i.repo_id = r.id and i.id <> ?
                  and %s))
            """
                .formatted(SIGNS),
            _ -> true,
            repoId,
            name,
            name,
            installId,
            installId,
            name)
        .isPresent();
  }

  /**
   * Keeps subscriptions and the notification URL of a repository from being bound to another name
   * until the transaction ends.
   */
  void holdBindings(UUID orgId, UUID repoId) {
    lock(orgId, List.of(), Set.of(repoId));
    // The notification URL is a setting of the repository.
    recheck.holdRepositoryRow(repoId);
  }

  /** In the order of {@link LockedSubscriptions}. */
  private void lock(UUID orgId, List<Bound> bound, Set<UUID> watched) {
    recheck.holdOrganization(orgId);
    var repositories = bound.stream().map(Bound::repoId).collect(Collectors.toSet());
    repositories.addAll(watched);
    sources.raiseExisting(repositories);
  }

  private void requireToAct(Caller caller, List<Bound> bound, Set<UUID> watched) {
    var names = bound.stream().map(Bound::repository).collect(Collectors.toSet());
    var readable = authorizer.readable(caller, names);
    for (var each : bound) {
      var access = readable.get(each.repository());
      // The name may lead to another repository by now.
      if (access == null || !access.repoId().equals(each.repoId())) {
        throw Problem.of(
            ErrorCode.FORBIDDEN,
            "The credential set is bound in a repository that you may not read with this token, so"
                + " you may not change what is sent there.");
      }
      access.undelegated().requiring(PrincipalRules.toAct(access, each.tokenPermissions(), true));
    }
    sources.refuseUnreadable(caller, watched);
  }

  /**
   * For a set of the organization, also what is bound in repositories with a set of their own of
   * that name: it gets the organization's values once their repository's set is deleted.
   */
  private List<Bound> find(UUID orgId, UUID repoId, String name) {
    return database.list(
        BOUND
            + SIGNED
            + """
            select b.repo_id, o.name || '/' || r.name as repository,
                   coalesce(array_agg(distinct p) filter (where p is not null), '{}') as permissions,
                   bool_or(b.is_sprite) as has_sprites
            from calls b
            join repository r on r.id = b.repo_id
            join organization o on o.id = r.org_id
            left join lateral unnest(b.token_permissions) p on true
            group by b.repo_id, o.name, r.name
            """,
        row ->
            new Bound(
                row.getObject("repo_id", UUID.class),
                row.getString("repository"),
                Permission.named((String[]) row.getArray("permissions").getArray()),
                row.getBoolean("has_sprites")),
        Stream.of(
                parameters(orgId, repoId, name),
                new Object[] {orgId, repoId, repoId, name, orgId, repoId, repoId})
            .flatMap(Arrays::stream)
            .toArray());
  }

  /** The other repositories that bound subscriptions watch. */
  private Set<UUID> watched(UUID orgId, UUID repoId, String name) {
    return Set.copyOf(
        database.list(
            BOUND
                + """
                select distinct source_repo_id from bound where source_repo_id <> repo_id
                """,
            row -> row.getObject("source_repo_id", UUID.class),
            parameters(orgId, repoId, name)));
  }

  private static Object[] parameters(UUID orgId, UUID repoId, String name) {
    return new Object[] {name, orgId, repoId, repoId, name, orgId, repoId, repoId};
  }
}

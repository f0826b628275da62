package dev.cairn.subscription;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The calls that a change of a credential set changes, or can change later: those of subscriptions
 * and notification URLs that are bound to its name. New variables can change what a command does,
 * and new values where the receiver of a call stores it, so they take the same rights as changing
 * the subscription. The rules are in {@code docs/credentials.md}, Changes of what is bound.
 */
@ApplicationScoped
class BoundCalls {
  private final Database database;
  private final Authorizer authorizer;
  private final Sources sources;

  /**
   * A subscription, or the notification URL of a repository.
   *
   * @param watchedRepoId its own repository if it watches no other one
   * @param repository as {@code org/repo}
   * @param tokenScopes the stored text; null for none
   * @param isSprite whether it runs a command
   */
  private record Bound(
      UUID repoId, UUID watchedRepoId, String repository, String tokenScopes, boolean isSprite) {}

  BoundCalls(Database database, Authorizer authorizer, Sources sources) {
    this.database = database;
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
    if (refused.isPresent() && find(orgId, repoId, name).stream().anyMatch(Bound::isSprite)) {
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
    requireToAct(caller, found); // before others wait for the locks
    lock(orgId, found);
    requireToAct(caller, find(orgId, repoId, name));
  }

  /** In the order of {@link LockedSubscriptions}. */
  private void lock(UUID orgId, List<Bound> bound) {
    database.list("select from organization where id = ? for share", _ -> true, orgId);
    sources.raiseExisting(
        bound.stream()
            .flatMap(each -> Stream.of(each.repoId(), each.watchedRepoId()))
            .distinct()
            .toList());
  }

  private void requireToAct(Caller caller, List<Bound> bound) {
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
      access.undelegated().requiring(PrincipalRules.toAct(access, each.tokenScopes(), true));
      sources.refuseUnreadable(access, each.watchedRepoId());
    }
  }

  /**
   * For a set of the organization, also what is bound in repositories with a set of their own of
   * that name: it gets the organization's values once their repository's set is deleted.
   */
  private List<Bound> find(UUID orgId, UUID repoId, String name) {
    return database.list(
        """
        select r.id as repo_id, b.watched_repo_id, o.name || '/' || r.name as repository,
               b.token_scopes, b.is_sprite
        from organization o
        join repository r on r.org_id = o.id
        cross join lateral (
          select coalesce(s.source_repo_id, r.id) as watched_repo_id, s.token_scopes,
                 s.sprite_config is not null as is_sprite
          from subscription s where s.repo_id = r.id and s.credential_set = ?
          union all
          select r.id, null, false
          where r.settings::json #>> '{notifications,credentialSetName}' = ?) b
        where o.id = ? and (?::uuid is null or r.id = ?::uuid)
        """,
        row ->
            new Bound(
                row.getObject("repo_id", UUID.class),
                row.getObject("watched_repo_id", UUID.class),
                row.getString("repository"),
                row.getString("token_scopes"),
                row.getBoolean("is_sprite")),
        name,
        name,
        orgId,
        repoId,
        repoId);
  }
}

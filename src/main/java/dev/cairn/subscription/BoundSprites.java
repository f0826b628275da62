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
 * The sprites whose environment a change of a credential set changes, or can change later: those
 * bound to its name. New variables can change what a command does, so they take the same rights as
 * changing the command. The rules are in {@code docs/credentials.md}, Variables of sprites.
 */
@ApplicationScoped
class BoundSprites {
  private final Database database;
  private final Authorizer authorizer;
  private final Sources sources;

  /**
   * A subscription with a sprite.
   *
   * @param watchedRepoId its own repository if it watches no other one
   * @param repository as {@code org/repo}
   * @param tokenScopes the stored text; null for none
   */
  private record Sprite(UUID repoId, UUID watchedRepoId, String repository, String tokenScopes) {}

  BoundSprites(Database database, Authorizer authorizer, Sources sources) {
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
    if (refused.isPresent() && !find(orgId, repoId, name).isEmpty()) {
      throw Problem.invalid(IJson.pointer("/keys", refused.get()), SpriteVariables.RULE)
          .hint("The credential set is bound to a sprite.");
    }
  }

  /**
   * Refuses a caller that may not change the commands of the bound sprites, because new variables
   * can change what those do. They stay those of their principals: each value counts only while the
   * account that set it may still set it ({@link CredentialSets#openForSprite}).
   *
   * @param repoId null for a set of the organization
   * @throws Problem {@code FORBIDDEN} if the caller may not change the command of one of them
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
  private void lock(UUID orgId, List<Sprite> sprites) {
    database.list("select from organization where id = ? for share", _ -> true, orgId);
    sources.raiseExisting(
        sprites.stream()
            .flatMap(sprite -> Stream.of(sprite.repoId(), sprite.watchedRepoId()))
            .distinct()
            .toList());
  }

  private void requireToAct(Caller caller, List<Sprite> sprites) {
    var names = sprites.stream().map(Sprite::repository).collect(Collectors.toSet());
    var readable = authorizer.readable(caller, names);
    for (var sprite : sprites) {
      var access = readable.get(sprite.repository());
      // The name may lead to another repository by now.
      if (access == null || !access.repoId().equals(sprite.repoId())) {
        throw Problem.of(
            ErrorCode.FORBIDDEN,
            "The credential set is bound to a sprite of a repository that you may not read with"
                + " this token, so you may not change that sprite's variables.");
      }
      access.undelegated().requiring(PrincipalRules.toAct(access, sprite.tokenScopes(), true));
      sources.refuseUnreadable(access, sprite.watchedRepoId());
    }
  }

  /**
   * For a set of the organization, also the sprites of repositories with a set of their own of that
   * name: they get the organization's variables once their repository's set is deleted.
   */
  private List<Sprite> find(UUID orgId, UUID repoId, String name) {
    return database.list(
        """
        select r.id as repo_id, coalesce(s.source_repo_id, r.id) as watched_repo_id,
               o.name || '/' || r.name as repository, s.token_scopes
        from organization o
        join repository r on r.org_id = o.id
        join subscription s on s.repo_id = r.id
        where o.id = ? and s.credential_set = ? and s.sprite_config is not null
          and (?::uuid is null or r.id = ?::uuid)
        """,
        row ->
            new Sprite(
                row.getObject("repo_id", UUID.class),
                row.getObject("watched_repo_id", UUID.class),
                row.getString("repository"),
                row.getString("token_scopes")),
        orgId,
        name,
        repoId,
        repoId);
  }
}

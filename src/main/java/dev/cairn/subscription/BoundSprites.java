package dev.cairn.subscription;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The sprites whose environment a change of a credential set changes, or can change later: those
 * bound to its name. New variables can change what a command does, so they take the same rights as
 * changing the command. The rules are in {@code docs/credentials.md}, Variables of sprites.
 */
@ApplicationScoped
class BoundSprites {
  private final Database database;
  private final Authorizer authorizer;

  /**
   * A subscription with a sprite.
   *
   * @param repository as {@code org/repo}
   * @param tokenScopes the stored text; null for none
   */
  private record Sprite(UUID repoId, String repository, String tokenScopes) {}

  BoundSprites(Database database, Authorizer authorizer) {
    this.database = database;
    this.authorizer = authorizer;
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
   * Requires what a change of the command of each bound sprite takes, because the sprites get other
   * variables.
   *
   * @param repoId null for a set of the organization
   * @throws Problem {@code FORBIDDEN}
   */
  void requireToAct(Caller caller, UUID orgId, UUID repoId, String name) {
    var sprites = find(orgId, repoId, name);
    if (sprites.isEmpty()) {
      return;
    }
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
    }
  }

  /**
   * For a set of the organization, also the sprites of repositories with a set of their own of that
   * name: they get the organization's variables once their repository's set is deleted.
   */
  private List<Sprite> find(UUID orgId, UUID repoId, String name) {
    return database.list(
        """
        select distinct r.id, o.name || '/' || r.name, s.token_scopes
        from organization o
        join repository r on r.org_id = o.id
        join subscription s on s.repo_id = r.id
        where o.id = ? and s.credential_set = ? and s.sprite_config is not null
          and (?::uuid is null or r.id = ?::uuid)
        """,
        row -> new Sprite(row.getObject(1, UUID.class), row.getString(2), row.getString(3)),
        orgId,
        name,
        repoId,
        repoId);
  }
}

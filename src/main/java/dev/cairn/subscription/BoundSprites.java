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
 * The sprites that a credential set is bound to, whose environment a change of the set changes. A
 * new variable can change what a command does, so adding one takes the same rights as changing the
 * command. The rules are in {@code docs/credentials.md}, Variables of sprites.
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
  private record Sprite(String repository, String tokenScopes) {}

  BoundSprites(Database database, Authorizer authorizer) {
    this.database = database;
    this.authorizer = authorizer;
  }

  /**
   * Checks keys that are to be set.
   *
   * @param repoId null for a set of the organization
   * @param set the names of all keys that get a value
   * @param added those of them that the set does not have yet
   * @throws Problem {@code VALIDATION_ERROR} for a name that no sprite may have as a variable,
   *     {@code FORBIDDEN} for a new one by a caller who may not change what the sprites do
   */
  void check(
      Caller caller, UUID orgId, UUID repoId, String name, Set<String> set, Set<String> added) {
    var sprites = set.isEmpty() ? List.<Sprite>of() : find(orgId, repoId, name);
    if (sprites.isEmpty()) {
      return;
    }
    SpriteVariables.firstRefused(set)
        .ifPresent(
            key -> {
              throw Problem.invalid(IJson.pointer("/keys", key), SpriteVariables.RULE)
                  .hint("The credential set is bound to a sprite.");
            });
    if (!added.isEmpty()) {
      requireToAct(caller, sprites);
    }
  }

  private void requireToAct(Caller caller, List<Sprite> sprites) {
    var names = sprites.stream().map(Sprite::repository).collect(Collectors.toSet());
    var readable = authorizer.readable(caller, names);
    for (var sprite : sprites) {
      var access = readable.get(sprite.repository());
      if (access == null) {
        throw Problem.of(
            ErrorCode.FORBIDDEN,
            "The credential set is bound to a sprite of a repository that you may not read with"
                + " this token, so you may not add keys to it.");
      }
      access.undelegated().requiring(PrincipalRules.toAct(access, sprite.tokenScopes(), true));
    }
  }

  private List<Sprite> find(UUID orgId, UUID repoId, String name) {
    return database.list(
        """
        select distinct o.name || '/' || r.name, s.token_scopes
        from organization o
        join repository r on r.org_id = o.id
        join subscription s on s.repo_id = r.id
        where o.id = ? and s.credential_set = ? and s.sprite_config is not null
          and case when ?::uuid is null
                then not exists (
                  select from credential_set c where c.repo_id = r.id and c.name = s.credential_set)
                else r.id = ?::uuid end
        """,
        row -> new Sprite(row.getString(1), row.getString(2)),
        orgId,
        name,
        repoId,
        repoId);
  }
}

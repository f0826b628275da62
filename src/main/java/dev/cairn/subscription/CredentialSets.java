package dev.cairn.subscription;

import dev.cairn.access.MemberRoles;
import dev.cairn.access.Permission;
import dev.cairn.access.Role;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.secret.Sealed;
import dev.cairn.platform.secret.SecretBox;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * The secrets of the calls of subscriptions: after they were written, only the calls read them. See
 * {@code docs/credentials.md}.
 */
@ApplicationScoped
public class CredentialSets implements Sealed {
  private static final Logger LOG = Logger.getLogger(CredentialSets.class);

  private static final String UNREADABLE = "key %2$s of credential set %1$s cannot be read: %3$s";
  private static final int BATCH_KEYS = 500;

  private final Database database;
  private final SecretBox secrets;
  private final CredentialKeys keys;
  private final MemberRoles roles;

  private record Found(UUID id, boolean isRevoked) {}

  private record SealedKey(UUID setId, String name, byte[] sealed) {}

  CredentialSets(Database database, SecretBox secrets, CredentialKeys keys, MemberRoles roles) {
    this.database = database;
    this.secrets = secrets;
    this.keys = keys;
    this.roles = roles;
  }

  /**
   * The secrets that a call sends, or the variables of a sprite, by their keys' names: those of the
   * repository's set of a name, or of its organization's if it has none of that name. They can
   * decide where what is sent gets to, so each value counts only while the account that set it may
   * configure the repository.
   *
   * @param name null if no set is bound, which has no secrets
   * @param principalId the account that the call is made for; null if that was deleted
   * @return empty if there is no such set, it is revoked, it cannot be read, or the principal or an
   *     account that set a value may not configure the repository at this moment: then nothing may
   *     be sent
   */
  public Optional<Map<String, String>> open(UUID repoId, String name, UUID principalId) {
    return name == null
        ? Optional.of(Map.of())
        : usable(repoId, name, principalId).filter(this::everyValueCounts).flatMap(this::values);
  }

  /**
   * The secrets of a call that an organization itself makes, by their keys' names, from one of its
   * own sets. They count as those of {@link #open} do.
   *
   * @param name null if no set is named, which has no secrets
   * @return empty if there is no such set, it is revoked, it cannot be read, or an account that set
   *     a value may no longer do so: then nothing may be sent
   */
  public Optional<Map<String, String>> openOfOrganization(UUID orgId, String name) {
    return name == null
        ? Optional.of(Map.of())
        : CredentialSet.of(orgId, null, name)
            .filter(set -> !set.isRevoked())
            .map(set -> set.id)
            .filter(this::everyValueCounts)
            .flatMap(this::values);
  }

  private Optional<UUID> usable(UUID repoId, String name, UUID principalId) {
    return mayUse(repoId, principalId)
        ? find(repoId, name).filter(found -> !found.isRevoked()).map(Found::id)
        : Optional.empty();
  }

  /** Whether calls that are made for an account may be given secrets at this moment. */
  boolean mayUse(UUID repoId, UUID principalId) {
    return roles.grant(repoId, principalId, Permission.REPO_CONFIGURE);
  }

  /**
   * SQL for the id of the set that a name stands for: the one of the repository, or of its
   * organization if it has none of that name. Null if neither has, or if the name is null.
   *
   * @param repoId SQL, as is {@code name}: a column or {@code ?}
   */
  public static String idOf(String repoId, String name) {
    return """
        (select bound.id from repository of_set
         join credential_set bound on bound.org_id = of_set.org_id
         where of_set.id = %s and bound.name = %s
           and (bound.repo_id = of_set.id or bound.repo_id is null)
         order by bound.repo_id nulls last limit 1)"""
        .formatted(repoId, name);
  }

  /**
   * By SQL, because it runs for each call, and needs only the id and whether the set is revoked.
   */
  private Optional<Found> find(UUID repoId, String name) {
    return database.first(
        "select c.id, c.revoked_at is not null from credential_set c where c.id = "
            + idOf("?", "?"),
        row -> new Found(row.getObject(1, UUID.class), row.getBoolean(2)),
        repoId,
        name);
  }

  /** The problem that there is no set of this name. */
  static Problem missing(String name) {
    return Problem.notFound("There is no credential set `" + Excerpt.of(name) + "` here.")
        .hint("`GET /credential-sets`, or `credential_set_list` over MCP, lists those that exist.");
  }

  /**
   * Refuses to bind a set that does not exist or is revoked.
   *
   * @throws Problem {@code NOT_FOUND}, {@code CONFLICT} for a revoked one
   */
  void requireUsable(UUID repoId, String name) {
    requireNotRevoked(find(repoId, name).orElseThrow(() -> missing(name).at("/credentialSetName")));
  }

  private static void requireNotRevoked(Found found) {
    if (found.isRevoked()) {
      throw Problem.of(ErrorCode.CONFLICT, "The credential set is revoked.")
          .with("reason", "credential_set_revoked")
          .hint("Name another set, or delete this one and create it again.");
    }
  }

  /**
   * Refuses to name a set of an organization itself that does not exist or is revoked.
   *
   * @throws Problem {@code NOT_FOUND}, {@code CONFLICT} for a revoked one
   */
  public void requireUsableOfOrganization(UUID orgId, String name) {
    requireNotRevoked(
        CredentialSet.of(orgId, null, name)
            .map(set -> new Found(set.id, set.isRevoked()))
            .orElseThrow(() -> missing(name).at("/credentialSetName")));
  }

  /**
   * Refuses a set with a key that the sprite of a subscription may not have as a variable. Does
   * nothing for a subscription that calls a webhook.
   *
   * @param subscription bound to a set that exists
   * @param pointer the member of the request's body that combines the two
   * @throws Problem {@code VALIDATION_ERROR}
   */
  void refuseUnfit(Subscription subscription, String pointer) {
    if (subscription.spriteConfig == null) {
      return;
    }
    var names =
        find(subscription.repoId, subscription.credentialSet)
            .map(found -> keys.names(found.id()))
            .orElse(List.of());
    SpriteVariables.firstRefused(names)
        .ifPresent(
            name -> {
              throw Problem.invalid(
                      pointer,
                      "The credential set has the key `%s`. %s"
                          .formatted(name, SpriteVariables.RULE))
                  .hint("Remove the key, or bind a set without it.");
            });
  }

  /**
   * What a set holds; empty if it was deleted or revoked since it was found, or a value cannot be
   * read.
   */
  private Optional<Map<String, String>> values(UUID setId) {
    var keys =
        database.list(
            """
            select c.id, k.name, k.sealed from credential_set c
            left join credential_key k on k.set_id = c.id
            where c.id = ? and c.revoked_at is null
            """,
            CredentialSets::key,
            setId);
    if (keys.isEmpty()) {
      return Optional.empty();
    }
    var opened = new HashMap<String, String>();
    for (var key : keys) {
      if (key.name() == null) {
        break; // The set has no keys.
      }
      try {
        opened.put(key.name(), new String(opened(key), StandardCharsets.UTF_8));
      } catch (IllegalStateException e) {
        LOG.errorf(UNREADABLE, setId, key.name(), e.getMessage());
        return Optional.empty();
      }
    }
    return Optional.of(opened);
  }

  /**
   * The values of a set that was used, by their keys' names, to be masked in texts; also if it is
   * revoked. Values that were set after the last use, or cannot be read, are left out: at most 50
   * of 8,192 characters. None if the set was deleted.
   *
   * @param lastUse null for all values that it has now
   */
  public Map<String, String> used(UUID setId, Instant lastUse) {
    var readable = new HashMap<String, String>();
    for (var key :
        database.list(
            // A use is known to the millisecond.
            """
            select set_id, name, sealed from credential_key
            where set_id = ? and set_at < coalesce(?::timestamptz + interval '1 ms', 'infinity')
            """,
            CredentialSets::key,
            setId,
            lastUse)) {
      try {
        readable.put(key.name(), new String(opened(key), StandardCharsets.UTF_8));
      } catch (IllegalStateException e) {
        LOG.errorf(UNREADABLE, setId, key.name(), e.getMessage());
      }
    }
    return readable;
  }

  private boolean everyValueCounts(UUID setId) {
    return database
        .list(
            """
            select m.role from credential_key k
            join credential_set c on c.id = k.set_id
            left join member m on m.org_id = c.org_id and m.account_id = k.set_by
            where k.set_id = ?
            """,
            row -> Optional.ofNullable(row.getString("role")).flatMap(Role::of),
            setId)
        .stream()
        .allMatch(role -> role.filter(r -> r.grants(Permission.REPO_CONFIGURE)).isPresent());
  }

  @Override
  public String what() {
    return "values of credential sets";
  }

  @Override
  public Resealed reseal() {
    int resealed = 0;
    int unreadable = 0;
    var keys = sealedByAnother(new UUID(0, 0), "");
    while (!keys.isEmpty()) {
      for (var key : keys) {
        try {
          resealed += reseal(key);
        } catch (IllegalStateException e) {
          LOG.errorf(UNREADABLE, key.setId(), key.name(), e.getMessage());
          unreadable++;
        }
      }
      keys = sealedByAnother(keys.getLast().setId(), keys.getLast().name());
    }
    return new Resealed(resealed, unreadable);
  }

  private List<SealedKey> sealedByAnother(UUID afterSet, String afterName) {
    return database.list(
        """
        select set_id, name, sealed from credential_key
        where (set_id, name) > (?, ?) and substring(sealed for 4) <> ?
        order by set_id, name limit ?
        """,
        CredentialSets::key,
        afterSet,
        afterName,
        secrets.presentKeyId(),
        BATCH_KEYS);
  }

  private int reseal(SealedKey key) {
    return database.update(
        "update credential_key set sealed = ? where set_id = ? and name = ? and sealed = ?",
        secrets.seal(opened(key), purpose(key.setId(), key.name())),
        key.setId(),
        key.name(),
        key.sealed());
  }

  private byte[] opened(SealedKey key) {
    return secrets.open(key.sealed(), purpose(key.setId(), key.name()));
  }

  private static SealedKey key(ResultSet row) throws SQLException {
    return new SealedKey(row.getObject(1, UUID.class), row.getString(2), row.getBytes(3));
  }

  /** Binds a sealed value to its set and its key: a copy in another row cannot be opened. */
  static String purpose(UUID setId, String key) {
    return "credential " + setId + " " + key;
  }
}

package dev.cairn.subscription;

import static dev.cairn.access.Permission.REPO_CONFIGURE;

import dev.cairn.access.AuditLog;
import dev.cairn.access.ChangeTurns;
import dev.cairn.access.RateLimiter;
import dev.cairn.access.Recheck;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import dev.cairn.platform.Ids;
import dev.cairn.platform.Rows;
import dev.cairn.subscription.CredentialOwner.OfOrganization;
import dev.cairn.subscription.CredentialOwner.OfRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Credential sets as they are managed: made, changed, revoked and deleted, each told in the audit
 * log, and never shown. The rules are in {@code docs/credentials.md}.
 */
@ApplicationScoped
public class ManagedCredentials {
  static final int MAX_SETS = 100;
  static final int MAX_KEYS = 50;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final String SELECT =
      """
      select c.name, c.description,
             array(select k.name from credential_key k where k.set_id = c.id order by k.name),
             c.created_at, c.updated_at, c.revoked_at
      from credential_set c
      where c.org_id = ? and c.repo_id is not distinct from ?
      """;

  private final Database database;
  private final ChangeTurns turns;
  private final CredentialKeys keys;
  private final AuditLog audit;
  private final Recheck recheck;
  private final BoundSprites sprites;
  private final RateLimiter limiter;
  private final int perMinute;

  /**
   * Where the sets are.
   *
   * @param repoId null for those of the organization
   * @param repo the repository's name, for the audit log
   */
  private record Location(UUID orgId, UUID repoId, String repo) {}

  private record Known(UUID id, boolean revoked) {}

  private record Standing(Location location, boolean archived, boolean granted) {}

  ManagedCredentials(
      Database database,
      ChangeTurns turns,
      CredentialKeys keys,
      AuditLog audit,
      Recheck recheck,
      BoundSprites sprites,
      RateLimiter limiter,
      CairnConfig config) {
    this.database = database;
    this.turns = turns;
    this.keys = keys;
    this.audit = audit;
    this.recheck = recheck;
    this.sprites = sprites;
    this.limiter = limiter;
    this.perMinute = config.limits().subscriptionsPerMinute();
  }

  /** All sets by name. */
  public List<CredentialSetView> list(CredentialOwner owner) {
    var location = standing(owner).location();
    return database.list(
        SELECT + " order by c.name", ManagedCredentials::view, location.orgId(), location.repoId());
  }

  /** One set. */
  public CredentialSetView get(CredentialOwner owner, String name) {
    return get(standing(owner).location(), name);
  }

  private CredentialSetView get(Location location, String name) {
    return database
        .first(
            SELECT + " and c.name = ?",
            ManagedCredentials::view,
            location.orgId(),
            location.repoId(),
            name)
        .orElseThrow(() -> missing(name));
  }

  private static Problem missing(String name) {
    return Problem.notFound("There is no credential set `" + name + "` here.");
  }

  /**
   * Creates a set or changes the one that exists.
   *
   * @param read the request's body; asked for after the rate limit, so failed attempts count too
   * @throws Problem {@code VALIDATION_ERROR}, {@code FORBIDDEN} for variables of sprites that the
   *     caller may not change, {@code CONFLICT} for a revoked set or one too many, {@code
   *     ARCHIVED}, {@code RATE_LIMITED}, {@code PAYLOAD_TOO_LARGE} if the quota of bytes is used up
   */
  public CredentialSetView put(
      CredentialOwner owner, String name, Supplier<CredentialChange> read) {
    limiter.take("credential-sets", "account:" + owner.account().accountId(), perMinute, MINUTE);
    var change = read.get();
    if (!NAME.matcher(name).matches()) {
      throw Problem.invalid(
          "name",
          "A credential set's name is a letter or digit followed by at most 99 letters, digits,"
              + " '.', '_' or '-'.");
    }
    return inTurn(
        owner,
        () -> {
          var location = begin(owner);
          var known = find(location, name);
          var id = known.isPresent() ? known.get().id() : insert(location, name);
          if (known.filter(Known::revoked).isPresent()) {
            throw Problem.of(ErrorCode.CONFLICT, "The credential set is revoked.")
                .with("reason", "credential_set_revoked")
                .hint("Delete it and create it again.");
          }
          sprites.refuseUnfit(location.orgId(), location.repoId(), name, change.set().keySet());
          // A new set, even an empty one, lets sprites run again that the lack of it had stopped.
          if (change.changesKeys() || known.isEmpty()) {
            sprites.requireToChange(owner.account(), location.orgId(), location.repoId(), name);
          }
          write(owner, location.orgId(), id, change);
          record(
              owner,
              location,
              known.isPresent() ? "credential_set.updated" : "credential_set.created",
              name,
              change);
          return get(location, name);
        });
  }

  private <T> T inTurn(CredentialOwner owner, Callable<T> change) {
    return switch (owner) {
      case OfRepository(var access) -> turns.inTurn(access, change);
      case OfOrganization(var access) -> turns.inTurn(access, change);
    };
  }

  private UUID insert(Location location, String name) {
    int others =
        database
            .first(
                """
                select count(*) from credential_set
                where org_id = ? and repo_id is not distinct from ?
                """,
                row -> row.getInt(1),
                location.orgId(),
                location.repoId())
            .orElseThrow();
    if (others >= MAX_SETS) {
      throw Problem.of(
              ErrorCode.CONFLICT, "There are at most %d credential sets.".formatted(MAX_SETS))
          .with("reason", "too_many_credential_sets");
    }
    var id = Ids.next();
    database.update(
        """
        insert into credential_set (id, org_id, repo_id, name, created_at, updated_at)
        select ?, ?, ?, ?, t.now, t.now from (select ?::timestamptz as now) t
        """,
        id,
        location.orgId(),
        location.repoId(),
        name,
        Instant.now());
    return id;
  }

  private void write(CredentialOwner owner, UUID orgId, UUID id, CredentialChange change) {
    database.update(
        """
        update credential_set
        set updated_at = ?, description = nullif(coalesce(?::text, description), '')
        where id = ?
        """,
        Instant.now(),
        change.description().orElse(null),
        id);
    keys.write(orgId, id, owner.account().accountId(), change);
    if (keys.names(id).size() > MAX_KEYS) {
      throw Problem.invalid("/keys", "A credential set has at most %d keys.".formatted(MAX_KEYS));
    }
  }

  /** Ends the use of a set, also of one that is revoked already. */
  public CredentialSetView revoke(CredentialOwner owner, String name) {
    return inTurn(
        owner,
        () -> {
          var location = begin(owner);
          var known = find(location, name).orElseThrow(() -> missing(name));
          if (!known.revoked()) {
            database.update(
                """
                update credential_set set revoked_at = t.now, updated_at = t.now
                from (select ?::timestamptz as now) t where id = ?
                """,
                Instant.now(),
                known.id());
            record(owner, location, "credential_set.revoked", name, null);
          }
          return get(location, name);
        });
  }

  /**
   * Deletes a set. What is bound to it stays bound to the name, and so uses the organization's set
   * of that name, if there is one, after the repository's is deleted.
   *
   * @throws Problem {@code FORBIDDEN} if bound sprites get new variables by that, and the caller
   *     may not change what they do
   */
  public void delete(CredentialOwner owner, String name) {
    inTurn(
        owner,
        () -> {
          var location = begin(owner);
          var known = find(location, name).orElseThrow(() -> missing(name));
          if (replacedId(location, name).isPresent()) {
            sprites.requireToChange(owner.account(), location.orgId(), location.repoId(), name);
          }
          database.update("delete from credential_set where id = ?", known.id());
          record(owner, location, "credential_set.deleted", name, null);
          return true;
        });
  }

  /**
   * The organization's set that a repository's set of that name replaces; none if it is revoked,
   * because sprites get no variables from it.
   */
  private Optional<UUID> replacedId(Location location, String name) {
    return location.repoId() == null
        ? Optional.empty()
        : find(new Location(location.orgId(), null, null), name)
            .filter(set -> !set.revoked())
            .map(Known::id);
  }

  private Optional<Known> find(Location location, String name) {
    return database.first(
        """
        select id, revoked_at is not null from credential_set
        where org_id = ? and repo_id is not distinct from ? and name = ?
        """,
        row -> new Known(row.getObject(1, UUID.class), row.getBoolean(2)),
        location.orgId(),
        location.repoId(),
        name);
  }

  /** Runs changes to the sets of one location one after another; each checks the rights again. */
  private Location begin(CredentialOwner owner) {
    var standing =
        switch (owner) {
          case OfRepository(var access) -> {
            database.lockName("credential sets " + access.repoId());
            yield standing(owner);
          }
          case OfOrganization(var access) -> {
            database.lockName("credential sets " + access.orgId());
            var again = recheck.requireStill(access);
            yield new Standing(standing(owner).location(), again.archived(), true);
          }
        };
    if (standing.archived()) {
      throw Problem.of(ErrorCode.ARCHIVED, "The repository or its organization is archived.");
    }
    return standing.location();
  }

  private Standing standing(CredentialOwner owner) {
    return switch (owner) {
      case OfOrganization(var access) ->
          new Standing(new Location(access.orgId(), null, null), access.archived(), true);
      case OfRepository(var access) -> {
        var parameters = new ArrayList<Object>(Recheck.parameters(access, REPO_CONFIGURE));
        parameters.add(access.repoId());
        var standing =
            database
                .first(
                    """
                    select r.org_id, r.name, coalesce(r.archived_at, o.archived_at) is not null,
                           CONDITION
                    from repository r join organization o on o.id = r.org_id where r.id = ?
                    """
                        .replace("CONDITION", Recheck.CONDITION),
                    row ->
                        new Standing(
                            new Location(
                                row.getObject(1, UUID.class), access.repoId(), row.getString(2)),
                            row.getBoolean(3),
                            row.getBoolean(4)),
                    parameters.toArray())
                .filter(Standing::granted);
        yield standing.orElseThrow(() -> recheck.lost(access, Set.of(REPO_CONFIGURE)));
      }
    };
  }

  private void record(
      CredentialOwner owner,
      Location location,
      String action,
      String name,
      CredentialChange change) {
    var details = new LinkedHashMap<String, String>();
    if (location.repo() != null) {
      details.put("repository", location.repo());
    }
    if (change != null && !change.set().isEmpty()) {
      details.put("set", String.join(", ", change.set().keySet()));
    }
    if (change != null && !change.removed().isEmpty()) {
      details.put("removed", String.join(", ", change.removed()));
    }
    audit.record(owner.account(), location.orgId(), action, name, details);
  }

  private static CredentialSetView view(ResultSet row) throws SQLException {
    return new CredentialSetView(
        row.getString(1),
        row.getString(2),
        List.of((String[]) row.getArray(3).getArray()),
        Rows.instant(row, 4),
        Rows.instant(row, 5),
        Rows.instant(row, 6));
  }
}

package dev.cairn.subscription;

import static dev.cairn.access.Permission.REPO_CONFIGURE;

import dev.cairn.access.Archived;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.CredentialOwner.OfOrganization;
import dev.cairn.subscription.CredentialOwner.OfRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Creates, changes, revokes and deletes credential sets, each recorded in the audit log. Values are
 * never shown. The rules are in {@code docs/credentials.md}.
 */
@ApplicationScoped
public class ManagedCredentials {
  static final int MAX_SETS = 100;
  static final int MAX_KEYS = 50;

  /** How many names of keys an event of the audit log has. */
  private static final int MAX_LISTED = 10;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** One query for the sets and the names of their keys; entities would take another one. */
  private static final String SELECT =
      """
      select c.name, c.description,
             array(select k.name from credential_key k where k.set_id = c.id order by k.name)
               as key_names,
             c.created_at, c.updated_at, c.revoked_at
      from credential_set c
      where c.org_id = ? and c.repo_id is not distinct from ?
      """;

  private final Database database;
  private final ReadBounds bounds;
  private final ChangeLimiter changeLimiter;
  private final CredentialKeys keys;
  private final AuditLog audit;
  private final AccountAudit accountAudit;
  private final Recheck recheck;
  private final RepositoryStates repositories;
  private final BoundCalls bound;
  private final RateLimiter limiter;
  private final int perMinute;

  /**
   * The owner of the sets, as it is now.
   *
   * @param repoId null for those of the organization
   * @param repo the repository's name, for the audit log; null for those of the organization
   * @param isArchived whether no set there may be changed
   */
  private record Location(UUID orgId, UUID repoId, String repo, boolean isArchived) {}

  ManagedCredentials(
      Database database,
      ReadBounds bounds,
      ChangeLimiter changeLimiter,
      CredentialKeys keys,
      AuditLog audit,
      AccountAudit accountAudit,
      Recheck recheck,
      RepositoryStates repositories,
      BoundCalls bound,
      RateLimiter limiter,
      CairnConfig config) {
    this.database = database;
    this.bounds = bounds;
    this.changeLimiter = changeLimiter;
    this.keys = keys;
    this.audit = audit;
    this.accountAudit = accountAudit;
    this.recheck = recheck;
    this.repositories = repositories;
    this.bound = bound;
    this.limiter = limiter;
    this.perMinute = config.limits().subscriptionsPerMinute();
  }

  /** All sets by name. */
  public List<CredentialSetView> list(CredentialOwner owner) {
    var location = location(owner);
    return bounds.within(
        owner.account(),
        () ->
            database.list(
                SELECT + " order by c.name",
                ManagedCredentials::view,
                location.orgId(),
                location.repoId()));
  }

  /** One set. */
  public CredentialSetView get(CredentialOwner owner, String name) {
    return bounds.within(owner.account(), () -> get(location(owner), name));
  }

  private CredentialSetView get(Location location, String name) {
    return database
        .first(
            SELECT + " and c.name = ?",
            ManagedCredentials::view,
            location.orgId(),
            location.repoId(),
            name)
        .orElseThrow(() -> CredentialSets.missing(name));
  }

  /**
   * Creates a set or changes the one that exists.
   *
   * @param read reads the request's body, after the rate limit, so that failed attempts count too
   * @throws Problem {@code VALIDATION_ERROR}, {@code FORBIDDEN} for a delegated token that creates
   *     a set or changes keys, and for what is bound and the caller may not change, {@code
   *     CONFLICT} for a revoked set or one too many, {@code ARCHIVED}, {@code RATE_LIMITED}, {@code
   *     PAYLOAD_TOO_LARGE} if the quota of bytes is used up
   */
  public CredentialSetView put(
      CredentialOwner owner, String name, Supplier<CredentialChange> read) {
    limiter.take("credential-sets", "account:" + owner.account().accountId(), perMinute, MINUTE);
    var change = read.get();
    if (!CredentialNames.isSet(name)) {
      throw Problem.invalid("?name", CredentialNames.SET_RULE);
    }
    return call(
        owner,
        () -> {
          var location = begin(owner);
          var known = find(location, name);
          if (known.filter(CredentialSet::isRevoked).isPresent()) {
            throw Problem.of(ErrorCode.CONFLICT, "The credential set is revoked.")
                .with("reason", "credential_set_revoked")
                .hint("Delete it and create it again.");
          }
          bound.refuseUnfit(location.orgId(), location.repoId(), name, change.set().keySet());
          // A new set, even an empty one, lets calls be made again that the lack of it had stopped.
          if (change.changesKeys() || known.isEmpty()) {
            requireToChange(owner, location, name);
            if (owner instanceof OfOrganization(var access)
                && bound.isUsedBySetupCall(access.orgId(), name)) {
              access.requiring(REPO_CONFIGURE);
            }
            owner
                .account()
                .refuseDelegated(
                    "create a credential set, or set or remove keys of one: what is bound to it"
                        + " later would use them.");
          }
          hold(owner);
          write(owner, known.orElseGet(() -> create(location, name)), change);
          record(
              owner,
              location,
              known.isPresent() ? "credential_set.updated" : "credential_set.created",
              name,
              change);
          return get(location, name);
        });
  }

  /**
   * Creates the set of an installed component without keys, if it is missing.
   *
   * @param access granted for {@code repo:configure}
   * @param description null for none
   * @param requireCurrent as of {@link InstalledCredentials#install}
   * @throws Problem {@code CONFLICT} if another set has the name, and for one too many; {@code
   *     FORBIDDEN}, {@code ARCHIVED}
   */
  void install(
      RepositoryAccess access,
      UUID installId,
      String name,
      String description,
      Runnable requireCurrent) {
    var owner = new OfRepository(access);
    call(
        owner,
        () -> {
          var location = begin(owner);
          var known = find(location, name);
          if (known.isEmpty()) {
            // It was planned before, and others may have bound the name since.
            bound.holdBindings(location.orgId(), location.repoId());
          }
          requireCurrent.run();
          if (known.isPresent()) {
            if (!installId.equals(known.get().installId)) {
              throw InstalledCredentials.taken(name);
            }
            return false;
          }
          if (bound.isBoundElsewhere(location.repoId(), installId, name)) {
            throw InstalledCredentials.nameBound(name);
          }
          requireToChange(owner, location, name);
          hold(owner);
          var set = create(location, name);
          set.installId = installId;
          set.description = description;
          set.save();
          record(owner, location, "credential_set.created", name, null);
          return true;
        });
  }

  private <T> T call(CredentialOwner owner, Callable<T> change) {
    return switch (owner) {
      case OfRepository(var access) -> changeLimiter.call(access, change);
      case OfOrganization(var access) -> changeLimiter.call(access, change);
    };
  }

  private static CredentialSet create(Location location, String name) {
    if (CredentialSet.countIn(location.orgId(), location.repoId()) >= MAX_SETS) {
      throw tooMany();
    }
    var set = new CredentialSet();
    set.id = Ids.next();
    set.orgId = location.orgId();
    set.repoId = location.repoId();
    set.name = name;
    set.createdAt = Instant.now();
    set.save();
    return set;
  }

  static Problem tooMany() {
    return Problem.of(
            ErrorCode.CONFLICT, "There are at most %d credential sets.".formatted(MAX_SETS))
        .with("reason", "too_many_credential_sets")
        .hint("Delete one that is not used any more.");
  }

  private void write(CredentialOwner owner, CredentialSet set, CredentialChange change) {
    change.description().ifPresent(text -> set.description = text.isEmpty() ? null : text);
    set.save();
    keys.write(set.orgId, set.id, owner.account().accountId(), change);
    if (keys.names(set.id).size() > MAX_KEYS) {
      throw Problem.invalid(
          "/keys", "A credential set may have at most %d keys.".formatted(MAX_KEYS));
    }
  }

  /** Ends the use of a set, also of one that is revoked already. */
  public CredentialSetView revoke(CredentialOwner owner, String name) {
    return call(
        owner,
        () -> {
          var location = begin(owner);
          var set = find(location, name).orElseThrow(() -> CredentialSets.missing(name));
          hold(owner);
          if (!set.isRevoked()) {
            set.revokedAt = Instant.now();
            set.save();
            record(owner, location, "credential_set.revoked", name, null);
          }
          return get(location, name);
        });
  }

  /**
   * Deletes a set. What is bound to it stays bound to the name, and so uses the organization's set
   * of that name, if there is one, after the repository's is deleted.
   *
   * @throws Problem {@code FORBIDDEN} for a delegated token; and if another set replaces it, for a
   *     caller that may not bind a set, or not change what is bound
   */
  public void delete(CredentialOwner owner, String name) {
    call(
        owner,
        () -> {
          var location = begin(owner);
          var set = find(location, name).orElseThrow(() -> CredentialSets.missing(name));
          owner
              .account()
              .refuseDelegated(
                  "delete a credential set: another one may be used in its place, or none.");
          if (owner instanceof OfRepository(var access) && isReplacedWhenDeleted(location, name)) {
            access.requiring(PrincipalRules.toAct(access, Set.of(), true));
            requireToChange(owner, location, name);
          }
          hold(owner);
          set.delete();
          record(owner, location, "credential_set.deleted", name, null);
          return true;
        });
  }

  /**
   * Whether the organization has a set of the name of a repository's that is used once that one is
   * deleted; one that is revoked is not, because nothing gets values from it.
   */
  private static boolean isReplacedWhenDeleted(Location location, String name) {
    return CredentialSet.of(location.orgId(), null, name)
        .filter(set -> !set.isRevoked())
        .isPresent();
  }

  private static Optional<CredentialSet> find(Location location, String name) {
    return CredentialSet.of(location.orgId(), location.repoId(), name);
  }

  /**
   * Runs changes to the sets of one location one after another, and keeps the organization from
   * being archived, and its members from being changed; each checks the rights again.
   */
  private Location begin(CredentialOwner owner) {
    switch (owner) {
      case OfRepository(var access) -> begin(access.repoId(), access.orgId());
      case OfOrganization(var access) -> begin(access.orgId(), access.orgId());
    }
    return requireChangeable(owner);
  }

  private void begin(UUID owner, UUID orgId) {
    database.lockName("credential sets " + owner);
    recheck.holdOrganization(orgId);
  }

  /**
   * For the sets of a repository: keeps it from being archived or deleted, and checks the rights
   * again. No head may be locked after this.
   */
  private void hold(CredentialOwner owner) {
    if (owner instanceof OfRepository(var access)) {
      recheck.holdRepositoryRow(access.repoId());
      var _ = requireChangeable(owner);
    }
  }

  /**
   * Where the sets are at this moment.
   *
   * @throws Problem if the caller has lost the right to change them, or they are archived
   */
  private Location requireChangeable(CredentialOwner owner) {
    var location =
        switch (owner) {
          case OfRepository _ -> location(owner);
          case OfOrganization(var access) -> location(recheck.requireStill(access));
        };
    if (location.isArchived()) {
      throw Archived.repository();
    }
    return location;
  }

  /**
   * Refuses a caller that may not change what is bound to a set. That may wait for locks, so the
   * right to change the set, and the archiving, are checked again.
   */
  private void requireToChange(CredentialOwner owner, Location location, String name) {
    bound.requireToChange(owner.account(), location.orgId(), location.repoId(), name);
    var _ = requireChangeable(owner);
  }

  private Location location(CredentialOwner owner) {
    return switch (owner) {
      case OfOrganization(var access) -> location(access);
      case OfRepository(var access) -> {
        var state = repositories.requireStill(access, Set.of(REPO_CONFIGURE));
        yield new Location(state.orgId(), access.repoId(), state.name(), state.isArchived());
      }
    };
  }

  private static Location location(OrganizationAccess access) {
    return new Location(access.orgId(), null, null, access.isArchived());
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
      details.put("set", listed(change.set().keySet()));
    }
    if (change != null && !change.removed().isEmpty()) {
      details.put("removed", listed(change.removed()));
    }
    var account = owner.account();
    audit.record(account, location.orgId(), action, name, details);
    // The account's own log is of all its organizations.
    details.put("organization", organization(location.orgId()));
    accountAudit.record(account.accountId(), action, name, account.address(), details);
  }

  private String organization(UUID orgId) {
    return database
        .first("select name from organization where id = ?", row -> row.getString(1), orgId)
        .orElseThrow();
  }

  /** The first names, and how many others there are: the audit log is kept for ever. */
  private static String listed(Collection<String> names) {
    var first = names.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
    int others = names.size() - MAX_LISTED;
    return others > 0 ? first + ", and " + others + " more" : first;
  }

  private static CredentialSetView view(ResultSet row) throws SQLException {
    return new CredentialSetView(
        row.getString("name"),
        row.getString("description"),
        List.of((String[]) row.getArray("key_names").getArray()),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "updated_at"),
        Rows.instant(row, "revoked_at"));
  }
}

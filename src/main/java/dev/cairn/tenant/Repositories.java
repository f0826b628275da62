package dev.cairn.tenant;

import static dev.cairn.access.Permission.REPO_ADMIN;

import dev.cairn.access.Archived;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.content.RepositoryContent;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.UniqueRow;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.persistence.LockModeType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Makes, changes and deletes repositories; {@link RepositoryReads} shows them. */
@ApplicationScoped
public class Repositories {
  private static final int MAX_DESCRIPTION = 2_000;
  private static final Set<String> VISIBILITIES = Set.of("public", "private");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RepositoryReads reads;
  private final ChangeLimiter changeLimiter;
  private final Recheck recheck;
  private final AuditLog audit;
  private final ChangeRateLimit changes;
  private final Event<RepositoriesChanging> changing;
  private final Event<RepositoriesChanged> changed;
  private final Event<RepositoryDeleted> deleted;
  private final Event<NotificationSecrets> secretsNamed;
  private final Event<SearchSettingsChosen> searchSettingsChosen;
  private final SettingsChange settings;
  private final RepositoryHeads heads;
  private final RepositoryContent content;
  private final DeletedRepositories deletedRepositories;
  private final UsageReads usage;
  private final RateLimiter limiter;
  private final int perMinute;

  Repositories(
      RepositoryReads reads,
      ChangeLimiter changeLimiter,
      Recheck recheck,
      AuditLog audit,
      ChangeRateLimit changes,
      Event<RepositoriesChanging> changing,
      Event<RepositoriesChanged> changed,
      Event<RepositoryDeleted> deleted,
      Event<NotificationSecrets> secretsNamed,
      Event<SearchSettingsChosen> searchSettingsChosen,
      SettingsChange settings,
      RepositoryHeads heads,
      RepositoryContent content,
      DeletedRepositories deletedRepositories,
      UsageReads usage,
      RateLimiter limiter,
      CairnConfig config) {
    this.reads = reads;
    this.changeLimiter = changeLimiter;
    this.recheck = recheck;
    this.audit = audit;
    this.changes = changes;
    this.changing = changing;
    this.changed = changed;
    this.deleted = deleted;
    this.secretsNamed = secretsNamed;
    this.searchSettingsChosen = searchSettingsChosen;
    this.settings = settings;
    this.heads = heads;
    this.content = content;
    this.deletedRepositories = deletedRepositories;
    this.usage = usage;
    this.limiter = limiter;
    this.perMinute = config.limits().repositoriesPerMinute();
  }

  /**
   * Creates a repository with its built-in shapes; private by default.
   *
   * @throws Problem {@code RATE_LIMITED} if the account creates them too fast or the organization's
   *     quota is used up, {@code PAYLOAD_TOO_LARGE} if its quota of bytes is
   */
  public RepositoryView create(
      OrganizationAccess access, String name, String description, String visibility) {
    // In a transaction of its own: failed attempts count.
    limiter.take("repositories", "account:" + access.account().accountId(), perMinute, MINUTE);
    return changeLimiter.call(access, () -> createOne(access, name, description, visibility));
  }

  private RepositoryView createOne(
      OrganizationAccess access, String name, String description, String visibility) {
    var repository = new Repository();
    repository.id = Ids.next();
    repository.orgId = access.orgId();
    var checkedName = checkedName(name);
    repository.description = Organizations.text("/description", description, MAX_DESCRIPTION);
    repository.visibility = visibility == null ? "private" : checkedVisibility(visibility);
    repository.settings = "{}";
    repository.createdAt = Instant.now();
    repository.updatedAt = repository.createdAt;
    // Waits for a transaction that archives the organization or creates another repository in it:
    // nothing is made in it after that answer, and the count holds.
    recheck.lockOrganization(access);
    refuseIfArchived(recheck.requireStill(access).isArchived());
    usage.refuseOneMoreRepository(access.orgId());
    persist(repository, checkedName);
    content.create(repository.id, repository.createdAt);
    audit.record(
        access.account(),
        access.orgId(),
        "repository.created",
        repository.name,
        Map.of("visibility", repository.visibility));
    return reads.created(repository.id);
  }

  private static void persist(Repository repository, String name) {
    if (Repository.count("orgId = ?1 and name = ?2", repository.orgId, name) > 0) {
      throw taken(name);
    }
    repository.name = name;
    UniqueRow.persist(repository, () -> taken(name));
  }

  /** Changes what was given. An archived one can be unarchived, and nothing else. */
  public RepositoryView update(RepositoryAccess access, RepositoryChange change) {
    changes.take(access.account());
    check(access, change);
    return changeLimiter.call(access, () -> change(access, change));
  }

  /** Without a turn or a connection, since it may wait for the addresses of a host. */
  private void check(RepositoryAccess access, RepositoryChange change) {
    change.permissions().forEach(access::requiring);
    if (change.redirectsNotifications()) {
      access.undelegated();
    }
    if (change.settings() != null) {
      settings.check(access.account().accountId(), change.settings());
    }
  }

  private RepositoryView change(RepositoryAccess access, RepositoryChange change) {
    Organizations.text("/description", change.description(), MAX_DESCRIPTION);
    var visibility = change.visibility() == null ? null : checkedVisibility(change.visibility());
    var name = change.name() == null ? null : checkedName(change.name());
    boolean administers = change.permissions().contains(REPO_ADMIN);
    // Before any head, by the lock order: a member that leaves the organization at the same time is
    // waited for, so that one of the two transactions sees what both together take away. So is
    // whoever archives the organization.
    recheck.holdOrganization(access.orgId());
    if (change.name() != null || change.archived() != null) {
      // No commit may be acknowledged after the archiving: one that runs is waited for, and any
      // other one sees it. A change of visibility waits for none, so that nobody holds it off.
      boolean withOwnHead = change.archived() != null;
      changing.fire(new RepositoriesChanging(access.orgId(), access.repoId(), withOwnHead));
    }
    var repository = locked(access);
    change.permissions().forEach(permission -> recheck.requireStill(access, permission));
    Organization organization = Organization.findById(repository.orgId);
    refuseIfArchived(
        organization.archivedAt != null
            || (repository.archivedAt != null && !Boolean.FALSE.equals(change.archived())));
    if (name != null && !name.equals(repository.name)) {
      rename(access, repository, name);
    }
    if (change.description() != null) {
      repository.description = change.description();
    }
    if (visibility != null && !visibility.equals(repository.visibility)) {
      record(
          access,
          repository,
          "repository.visibility_changed",
          Map.of("from", repository.visibility, "to", visibility));
      repository.visibility = visibility;
    }
    if (change.settings() != null) {
      changeSettings(access, repository, change);
    }
    if (change.archived() != null) {
      archive(access, repository, change.archived());
    }
    repository.updatedAt = Instant.now();
    repository.persistAndFlush();
    if (administers) {
      changed.fire(new RepositoriesChanged(repository.orgId, repository.id));
    }
    return reads.find(access);
  }

  private void changeSettings(
      RepositoryAccess access, Repository repository, RepositoryChange change) {
    var merged = settings.merged(repository.settings, change.settings());
    var principal =
        change.redirectsNotifications()
            ? access.account().accountId()
            : repository.notificationsPrincipalId;
    if (settings.redirects(repository.settings, merged)
        || !Objects.equals(principal, repository.notificationsPrincipalId)) {
      record(access, repository, "repository.notifications_changed", Map.of());
    }
    repository.settings = merged;
    repository.notificationsPrincipalId = principal;
    settings.named(repository.id, change.settings()).ifPresent(secretsNamed::fire);
    settings.search(repository.id, merged, change.settings()).ifPresent(searchSettingsChosen::fire);
  }

  private static Repository locked(RepositoryAccess access) {
    Repository repository = Repository.findById(access.repoId(), LockModeType.PESSIMISTIC_WRITE);
    if (repository == null) {
      throw RepositoryReads.gone();
    }
    return repository;
  }

  private void rename(RepositoryAccess access, Repository repository, String name) {
    var former = repository.name;
    persist(repository, name);
    record(access, repository, "repository.renamed", Map.of("from", former, "to", name));
  }

  private void archive(RepositoryAccess access, Repository repository, boolean archived) {
    if (archived == (repository.archivedAt != null)) {
      return;
    }
    repository.archivedAt = archived ? Instant.now() : null;
    record(
        access, repository, archived ? "repository.archived" : "repository.unarchived", Map.of());
  }

  private void record(
      RepositoryAccess access, Repository repository, String action, Map<String, String> details) {
    audit.record(access.account(), repository.orgId, action, repository.name, details);
  }

  /**
   * Deletes a repository with all that it holds, after the commit that may be running. An archived
   * one must be unarchived first, so that nobody deletes it by mistake.
   */
  public void delete(RepositoryAccess access) {
    changeLimiter.call(
        access,
        () -> {
          // As a change of it does.
          recheck.holdOrganization(access.orgId());
          heads.lock(access.repoId());
          var repository = locked(access);
          recheck.requireStill(access, REPO_ADMIN);
          refuseIfArchived(reads.find(access).archivedAt() != null);
          deleted.fire(new RepositoryDeleted(access.repoId()));
          deletedRepositories.deleteFirst(access.repoId());
          record(access, repository, "repository.deleted", Map.of());
          repository.delete();
          return true;
        });
    deletedRepositories.makeDue();
  }

  private static Problem taken(String name) {
    return Problem.of(
            ErrorCode.ALREADY_EXISTS,
            "There is a repository `%s` in this organization already.".formatted(name))
        .hint("Choose another name, or use the repository that exists.");
  }

  private static void refuseIfArchived(boolean isArchived) {
    if (isArchived) {
      throw Archived.repository();
    }
  }

  private static String checkedName(String name) {
    if (name == null) {
      throw Problem.invalid("/name", "`name` is required.");
    }
    try {
      return Names.repo(name);
    } catch (Problem e) {
      throw e.at("/name");
    }
  }

  private static String checkedVisibility(String visibility) {
    if (!VISIBILITIES.contains(visibility)) {
      throw Problem.invalid("/visibility", "`visibility` must be public or private.");
    }
    return visibility;
  }
}

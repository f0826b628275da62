package dev.cairn.tenant;

import static dev.cairn.access.Permission.ORG_READ;

import dev.cairn.access.Archived;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Caller;
import dev.cairn.access.Recheck;
import dev.cairn.access.Role;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.database.UniqueRow;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Makes and shows organizations. */
@ApplicationScoped
public class Organizations {
  /** Up to which number names of personal organizations are tried, each by a query. */
  private static final int MAX_NUMBERED = 9;

  private static final int MAX_DISPLAY_NAME = 200;
  private static final int MAX_DESCRIPTION = 2_000;

  private static final String PAGE =
      "select o.name, o.display_name, o.description, m.role, o.personal, o.archived_at,"
          + " o.created_at, "
          // 512 for everything but the texts.
          + Pager.fits(
              "512 + "
                  + Pager.jsonBytes("o.display_name")
                  + " + "
                  + Pager.jsonBytes("o.description"))
          + """
           from member m join organization o on o.id = m.org_id
          where m.account_id = ? and starts_with(o.name, ?) and o.name collate "C" > ?
            and (? or o.id = any (?))
          """
          + Pager.inOrder("o.name collate \"C\"")
          + " limit ?";

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final RepositoryHeads heads;
  private final ChangeLimiter changeLimiter;
  private final Recheck recheck;
  private final AuditLog audit;
  private final ChangeRateLimit changes;
  private final Event<RepositoriesChanging> changing;
  private final Event<RepositoriesChanged> changed;
  private final CreatedOrganizations created;
  private final UsageReads usage;
  private final Event<OrganizationNamed> named;
  private final Members members;

  Organizations(
      Database database,
      ReadBounds bounds,
      Cursors cursors,
      RepositoryHeads heads,
      ChangeLimiter changeLimiter,
      Recheck recheck,
      AuditLog audit,
      ChangeRateLimit changes,
      Event<RepositoriesChanging> changing,
      Event<RepositoriesChanged> changed,
      CreatedOrganizations created,
      UsageReads usage,
      Event<OrganizationNamed> named,
      Members members) {
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
    this.heads = heads;
    this.changeLimiter = changeLimiter;
    this.recheck = recheck;
    this.audit = audit;
    this.changes = changes;
    this.changing = changing;
    this.changed = changed;
    this.created = created;
    this.usage = usage;
    this.named = named;
    this.members = members;
  }

  /**
   * Creates an organization with the caller as its owner.
   *
   * @throws Problem {@code RATE_LIMITED} if the account creates them too fast, or its quota is used
   *     up; {@code UNAUTHENTICATED} if the token or its session has ended meanwhile
   */
  public OrganizationView create(
      Caller.SignedIn caller, String name, String displayName, String description) {
    // In a transaction of its own: failed attempts count.
    created.limitRate(caller.accountId());
    return database.transaction(() -> createOwned(caller, name, displayName, description));
  }

  private OrganizationView createOwned(
      Caller.SignedIn caller, String name, String displayName, String description) {
    var checkedName = checkedName(name);
    var organization = described(displayName, description);
    created.refuseOneMore(caller.accountId());
    var view = create(organization, checkedName, caller.accountId());
    // It may have waited for the account or for the name.
    recheck.requireLiveToken(caller);
    return view;
  }

  /**
   * Creates the organization of the demo repository, with {@code accountId} as its owner. It is
   * marked as the service's own, so that its sprites stay trusted if it is renamed.
   */
  public void createDemo(UUID accountId, String name, String displayName, String description) {
    database.transaction(
        () -> {
          var organization = described(displayName, description);
          organization.demo = true;
          return create(organization, checkedName(name), accountId);
        });
  }

  private static Organization described(String displayName, String description) {
    var organization = new Organization();
    organization.id = Ids.next();
    organization.displayName = text("/displayName", displayName, MAX_DISPLAY_NAME);
    organization.description = text("/description", description, MAX_DESCRIPTION);
    organization.createdAt = Instant.now();
    return organization;
  }

  /**
   * Creates the personal organization of an account, with the first free name.
   *
   * @param wanted the preferred name; characters that a name cannot have are replaced
   */
  public OrganizationView createPersonal(UUID accountId, String wanted) {
    return database.transaction(
        () -> {
          var organization = described(null, null);
          organization.personal = true;
          return create(organization, freeName(wanted), accountId);
        });
  }

  /** The same, unless the account, created without a way to sign in, already has one. */
  public void createPersonalIfMissing(UUID accountId, String wanted) {
    database.transaction(
        () -> {
          if (Member.count("accountId", accountId) == 0) {
            createPersonal(accountId, wanted);
          }
          return true;
        });
  }

  /** The account's organizations, as far as its token may read them, by name. */
  public Page<OrganizationView> of(Caller.SignedIn account, int limit, Optional<String> cursor) {
    return of(account, "", limit, cursor);
  }

  /** The names of the first organizations of an account whose names have a beginning. */
  public List<String> names(Caller.SignedIn account, String beginning, int max) {
    return of(account, beginning, max, Optional.empty()).items().stream()
        .map(OrganizationView::name)
        .toList();
  }

  /** The request for the rest of the list of an account's organizations after one of them. */
  String cursorAfter(Caller.SignedIn account, String name) {
    return cursors.of(list(account), name);
  }

  private static String list(Caller.SignedIn account) {
    return "orgs " + account.accountId();
  }

  private Page<OrganizationView> of(
      Caller.SignedIn account, String beginning, int limit, Optional<String> cursor) {
    var after = cursor.map(c -> cursors.read(list(account), c, List::getFirst)).orElse("");
    var narrowed = account.token().scopes().organizations(ORG_READ);
    return bounds.within(
        account,
        () ->
            new Pager(cursors, list(account), limit)
                .read(
                    database,
                    PAGE,
                    Organizations::listed,
                    last -> List.of(last.name()),
                    PageBytes.max(),
                    account.accountId(),
                    beginning,
                    after,
                    narrowed.isEmpty(),
                    narrowed.orElse(Set.of()).toArray(UUID[]::new),
                    limit + 1));
  }

  private static OrganizationView listed(ResultSet row) throws SQLException {
    return new OrganizationView(
        row.getString("name"),
        row.getString("display_name"),
        row.getString("description"),
        row.getString("role"),
        row.getBoolean("personal"),
        Rows.instant(row, "archived_at"),
        Rows.instant(row, "created_at"),
        null);
  }

  /** One organization; outsiders see its public side only. */
  public OrganizationView get(OrganizationAccess access) {
    return bounds.within(access.caller(), () -> database.transaction(() -> find(access)));
  }

  private OrganizationView find(OrganizationAccess access) {
    var view = view(found(access), access.role());
    // What is stored, and how much, may be what a token may not see.
    return access.canReadAll() ? view.with(usage.of(access.orgId())) : view;
  }

  private static Organization found(OrganizationAccess access) {
    return Organization.<Organization>findByIdOptional(access.orgId())
        .orElseThrow(() -> Problem.notFound("The organization was just deleted."));
  }

  /** Changes what was given. */
  public OrganizationView update(OrganizationAccess access, OrganizationChange change) {
    changes.take(access.account());
    change.permissions().forEach(access::requiring);
    // Names are cached for commits, and none may be acknowledged after the archiving.
    boolean waitsForCommits = change.name() != null || Boolean.TRUE.equals(change.archived());
    return waitsForCommits
        ? changeLimiter.callWaitingForCommits(access, () -> change(access, change))
        : changeLimiter.call(access, () -> change(access, change));
  }

  private OrganizationView change(OrganizationAccess access, OrganizationChange change) {
    text("/displayName", change.displayName(), MAX_DISPLAY_NAME);
    text("/description", change.description(), MAX_DESCRIPTION);
    var name = change.name() == null ? null : checkedName(change.name());
    // All columns are written back, so a change of another field waits.
    recheck.lockOrganization(access);
    var organization = found(access);
    change.permissions().forEach(permission -> recheck.requireStill(access.needing(permission)));
    if (organization.archivedAt != null && !Boolean.FALSE.equals(change.archived())) {
      throw Archived.organization();
    }
    boolean changesArchiving =
        change.archived() != null && change.archived() != (organization.archivedAt != null);
    // Before the row is written: others that refer to it, such as the audit log when a token is
    // revoked, would wait for commits too.
    if (changesArchiving) {
      if (change.archived()) {
        // No commit may be acknowledged after the archiving: those that run are waited for. The end
        // of it waits for none, or nobody could be removed meanwhile.
        heads.lockAll(organization.id);
      }
      members.holdInvitations(organization.id);
    }
    if (change.name() != null) {
      changing.fire(new RepositoriesChanging(organization.id, null, false));
    }
    if (name != null && !name.equals(organization.name)) {
      rename(access, organization, name);
    }
    if (change.displayName() != null) {
      organization.displayName = change.displayName();
    }
    if (change.description() != null) {
      organization.description = change.description();
    }
    if (changesArchiving) {
      archive(access, organization, change.archived());
    }
    if (change.name() != null || change.archived() != null) {
      organization.persistAndFlush();
      changed.fire(new RepositoriesChanged(organization.id, null));
      if (Boolean.FALSE.equals(change.archived())) {
        members.acceptInvitations(organization.id);
      }
    }
    return view(organization, access.role());
  }

  private void rename(OrganizationAccess access, Organization organization, String name) {
    var former = organization.name;
    persist(organization, name);
    audit.record(
        access.account(),
        access.orgId(),
        "organization.renamed",
        name,
        Map.of("from", former, "to", name));
  }

  private void archive(OrganizationAccess access, Organization organization, boolean archived) {
    organization.archivedAt = archived ? Instant.now() : null;
    audit.record(
        access.account(),
        access.orgId(),
        archived ? "organization.archived" : "organization.unarchived",
        organization.name,
        Map.of());
  }

  private OrganizationView create(Organization organization, String name, UUID accountId) {
    organization.creatorId = accountId;
    holdName(name);
    persist(organization, name);
    var owner = new Member();
    owner.orgId = organization.id;
    owner.accountId = accountId;
    owner.role = Role.OWNER.wire();
    owner.createdAt = organization.createdAt;
    // Plain SQL in the same transaction must see it.
    owner.persistAndFlush();
    return view(organization, Role.OWNER);
  }

  private void persist(Organization organization, String name) {
    if (Organization.count("name", name) > 0) {
      throw taken(name);
    }
    organization.name = name;
    UniqueRow.persist(organization, () -> taken(name));
    named.fire(new OrganizationNamed(organization.id, name));
  }

  private static Problem taken(String name) {
    return Problem.of(
            ErrorCode.ALREADY_EXISTS, "There is an organization `%s` already.".formatted(name))
        .hint("Choose another name.");
  }

  /** Keeps other transactions from making an organization of that name before this one is made. */
  private void holdName(String name) {
    database.lockName("organization " + name);
  }

  private String freeName(String wanted) {
    var base = wanted.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    base = base.replaceAll("^-+|-+$", "");
    base = base.isEmpty() ? "home" : base.substring(0, Math.min(base.length(), 80));
    for (int i = 1; ; i++) {
      var name = i == 1 ? base : base + "-" + (i <= MAX_NUMBERED ? i : randomEnd());
      if (isAllowed(name) && isFree(name)) {
        holdName(name);
        if (isFree(name)) {
          return name;
        }
      }
    }
  }

  /** The end of an id, which is random. */
  private static String randomEnd() {
    var id = Ids.next().toString();
    return id.substring(id.lastIndexOf('-') + 1);
  }

  private static boolean isFree(String name) {
    return Organization.count("name", name) == 0;
  }

  private static boolean isAllowed(String name) {
    try {
      Names.org(name);
      return true;
    } catch (Problem e) {
      return false;
    }
  }

  private static String checkedName(String name) {
    if (name == null) {
      throw Problem.invalid("/name", "`name` is required.");
    }
    try {
      return Names.org(name);
    } catch (Problem e) {
      throw e.at("/name");
    }
  }

  static String text(String pointer, String text, int maxLength) {
    if (text != null && text.codePointCount(0, text.length()) > maxLength) {
      throw Problem.invalid(
          pointer,
          "`%s` may have at most %d characters.".formatted(pointer.substring(1), maxLength));
    }
    return text;
  }

  private static OrganizationView view(Organization organization, Role role) {
    return new OrganizationView(
        organization.name,
        organization.displayName,
        organization.description,
        role == null ? null : role.wire(),
        role == null ? null : organization.personal,
        organization.archivedAt,
        organization.createdAt,
        null);
  }
}

package dev.cairn.access;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.ORG_READ;
import static dev.cairn.access.Permission.REPO_CHECKPOINT_READ;
import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The one place that says yes. The statement that finds a repository or an organization also asks
 * whether the session of the caller's token is live. Who has no role in a private repository's
 * organization gets the answer for one that does not exist; a member who lacks the permission gets
 * {@code FORBIDDEN}; an anonymous write to a public one is {@code UNAUTHENTICATED}. See {@code
 * docs/access.md}.
 */
@ApplicationScoped
public class Authorizer {
  /** Names no row, so that what hangs on one that there is not is looked up all the same. */
  private static final String NONE = "'00000000-0000-0000-0000-000000000000'";

  /** Names the row of the table {@code decoy}. */
  private static final String DECOY = "'ffffffff-ffff-ffff-ffff-ffffffffffff'";

  /**
   * Makes the same look-ups, fetches as many rows and answers one row of the same size for each
   * wanted name, whatever there is: what is hidden must not take longer than what does not exist.
   * Behind each row that may be missing stands one that is fetched in its place.
   */
  private static final String FIND =
      equalized(
          """
          select coalesce(o.id, NONE), coalesce(r.id, NONE), r.id is not null,
                 wanted.org, wanted.repo, coalesce(r.visibility = 'public', false),
                 coalesce(r.archived_at, o.archived_at) is not null, m.role,
                 coalesce(h.seq, 0), IS_LIVE, no_o.id, no_r.id, no_h.id
          from WANTED as wanted (org, repo)
          left join organization o on o.name = wanted.org
          left join decoy no_o on no_o.id = INSTEAD(o.id)
          left join repository r on r.org_id = coalesce(o.id, NONE) and r.name = wanted.repo
          left join decoy no_r on no_r.id = INSTEAD(r.id)
          left join repository_head h on h.repo_id = coalesce(r.id, NONE)
          left join decoy no_h on no_h.id = INSTEAD(h.repo_id)
          left join member m on m.org_id = coalesce(o.id, NONE) and m.account_id = ?
          """);

  private static final String FIND_ONE = FIND.replace("WANTED", "(select ?::text, ?::text)");
  private static final String FIND_EACH = FIND.replace("WANTED", "unnest(?::text[], ?::text[])");

  private static final String FIND_ORGANIZATION =
      equalized(
          """
          select coalesce(o.id, NONE), o.id is not null, o.archived_at is not null,
                 exists (select from repository r
                         where r.org_id = coalesce(o.id, NONE) and r.visibility = 'public'),
                 m.role, IS_LIVE, no_o.id
          from (select ?::text) as wanted (name)
          left join organization o on o.name = wanted.name
          left join decoy no_o on no_o.id = INSTEAD(o.id)
          left join member m on m.org_id = coalesce(o.id, NONE) and m.account_id = ?
          """);

  /** Both branches are look-ups: one fetches the decoy, the other finds nothing. */
  private static String equalized(String sql) {
    return sql.replaceAll(
            "INSTEAD\\(([a-z_.]+)\\)", "case when $1 is null then DECOY else NONE end")
        .replace("IS_LIVE", Sessions.IS_LIVE)
        .replace("DECOY", DECOY + "::uuid")
        .replace("NONE", NONE + "::uuid");
  }

  private static final Permission[] EXPORT = {REPO_READ, REPO_CHECKPOINT_READ};

  private final Database database;

  private record Candidate(
      UUID orgId,
      UUID repoId,
      boolean exists,
      String org,
      String repo,
      boolean isPublic,
      boolean archived,
      Role role,
      long seq,
      boolean live) {

    /** Whether the account may know of it. */
    boolean isVisible() {
      return exists && (isPublic || role != null);
    }

    /** Whether the account may, whatever its token carries. */
    boolean grants(Permission permission) {
      return (isPublic && permission == REPO_READ) || (role != null && role.grants(permission));
    }
  }

  private record OrganizationCandidate(
      UUID id, boolean exists, boolean archived, boolean hasPublic, Role role, boolean live) {

    boolean isVisible() {
      return exists && (hasPublic || role != null);
    }
  }

  /**
   * A caller's standing in an organization.
   *
   * @param role null for an outsider who may see it for the sake of its public repositories
   * @param asked the permissions of which one was needed
   */
  public record OrganizationAccess(
      UUID orgId, boolean archived, Role role, Caller caller, List<Permission> asked) {

    /** The account that calls, where a permission was granted: nobody else has one. */
    public Caller.SignedIn account() {
      return (Caller.SignedIn) caller;
    }

    /** The private repositories that role and token together let the caller read; empty for all. */
    public Optional<Set<UUID>> readable() {
      return role != null && caller instanceof Caller.SignedIn account
          ? account.token().scopes().repositories(REPO_READ, orgId)
          : Optional.of(Set.of());
    }

    /** The same access, to be asked for another permission. */
    public OrganizationAccess asking(Permission permission) {
      return new OrganizationAccess(orgId, archived, role, caller, List.of(permission));
    }

    /** The same access, unless role or token do not allow a permission. */
    public OrganizationAccess requiring(Permission permission) {
      if (!allows(permission)) {
        throw refusal(caller, permission);
      }
      return this;
    }

    /** Whether role and token together allow this too. */
    public boolean allows(Permission permission) {
      return grants(role, orgId, caller, permission);
    }
  }

  /**
   * An account's standing in what a scope entry is about.
   *
   * @param orgId null for everything
   * @param repoId null for a whole organization
   * @param role null for an outsider
   */
  record Standing(UUID orgId, UUID repoId, Role role, boolean isPublic) {
    /** Of an entry that narrows no resource: it takes effect as far as the role goes. */
    static final Standing EVERYWHERE = new Standing(null, null, Role.OWNER, false);

    boolean grants(Permission permission) {
      return (isPublic && permission == REPO_READ) || (role != null && role.grants(permission));
    }
  }

  Authorizer(Database database) {
    this.database = database;
  }

  /** Access to a repository for any one of the permissions. */
  public RepositoryAccess repository(Caller caller, String org, String repo, Permission... anyOf) {
    var found = findVisible(caller, org, repo);
    return Arrays.stream(anyOf)
        .map(permission -> narrowing(found, caller, permission))
        .flatMap(Optional::stream)
        // What two permissions allow, the less narrowed one decides.
        .min(Comparator.comparing(narrowing -> !narrowing.isNone()))
        .map(narrowing -> access(found, caller, narrowing))
        .orElseThrow(() -> refusal(caller, anyOf));
  }

  /**
   * Access to all of a repository at once, as an export shows it: {@code repo:read} and {@code
   * repo:checkpoint-read}, neither of them narrowed. See {@code docs/access.md}, Exports.
   */
  public RepositoryAccess export(Caller caller, String org, String repo) {
    var found = findVisible(caller, org, repo);
    for (var permission : EXPORT) {
      narrowing(found, caller, permission)
          .orElseThrow(() -> refusal(caller, " and ", EXPORT))
          .refuse();
    }
    return access(found, caller, Narrowing.NONE);
  }

  private static RepositoryAccess access(Candidate found, Caller caller, Narrowing narrowing) {
    var visible = narrowing(found, caller, REPO_READ).map(narrowing::or).orElse(narrowing);
    return new RepositoryAccess(
        found.orgId(),
        found.repoId(),
        found.org(),
        found.repo(),
        found.archived(),
        found.role(),
        caller,
        narrowing,
        visible,
        found.seq(),
        permission -> narrowing(found, caller, permission).filter(Narrowing::isNone).isPresent());
  }

  /** What role and token together leave of a permission; empty for nothing. */
  private static Optional<Narrowing> narrowing(
      Candidate found, Caller caller, Permission permission) {
    if (!found.grants(permission)) {
      return Optional.empty();
    }
    if (!(caller instanceof Caller.SignedIn account)) {
      return Optional.of(Narrowing.NONE);
    }
    if (!account.token().carries(permission)) {
      return Optional.empty();
    }
    var scopes = account.token().scopes();
    var carried = scopes.narrowing(permission, found.orgId(), found.repoId());
    boolean readsAsAnonymous =
        permission == REPO_READ && found.isPublic() && !scopes.cover(found.orgId(), found.repoId());
    return readsAsAnonymous ? Optional.of(Narrowing.NONE) : carried;
  }

  /**
   * Access to those of some repositories that the caller may read.
   *
   * @param names as {@code org/repo}, in lower case
   */
  public Map<String, RepositoryAccess> readable(Caller caller, Set<String> names) {
    var wanted = List.copyOf(names);
    var readable = new HashMap<String, RepositoryAccess>();
    database
        .list(
            FIND_EACH,
            Authorizer::candidate,
            caller.sessionIdOrNull(),
            caller.sessionIdOrNull(),
            wanted.stream().map(n -> n.substring(0, n.indexOf('/'))).toArray(String[]::new),
            wanted.stream().map(n -> n.substring(n.indexOf('/') + 1)).toArray(String[]::new),
            caller.accountIdOrNull())
        .stream()
        .map(found -> live(found, found.live()))
        .filter(Candidate::isVisible)
        .forEach(
            found ->
                narrowing(found, caller, REPO_READ)
                    .ifPresent(
                        narrowing ->
                            readable.put(
                                found.org() + "/" + found.repo(),
                                access(found, caller, narrowing))));
    return readable;
  }

  /** The account's standing in {@code org/repo} or {@code org}, as a request's body names it. */
  Standing standing(Caller.SignedIn account, String resource) {
    int slash = resource.indexOf('/');
    if (slash < 0) {
      var found = findOrganization(account, Names.orgSyntax(resource));
      return new Standing(found.id(), null, found.role(), false);
    }
    var org = Names.orgSyntax(resource.substring(0, slash));
    var repo = Names.repo(resource.substring(slash + 1));
    var found = findVisible(account, org, repo);
    return new Standing(found.orgId(), found.repoId(), found.role(), found.isPublic());
  }

  /** Access to an organization for any one of the permissions. */
  public OrganizationAccess organization(Caller caller, String name, Permission... anyOf) {
    var found = findOrganization(caller, name);
    return granted(
        new OrganizationAccess(found.id(), found.archived(), found.role(), caller, List.of(anyOf)));
  }

  /** The access, if role and token allow what was asked for; else as they are refused it. */
  static OrganizationAccess granted(OrganizationAccess access) {
    if (access.asked().stream().noneMatch(access::allows)) {
      throw refusal(access.caller(), access.asked().toArray(Permission[]::new));
    }
    return access;
  }

  /**
   * Access to end a membership of an organization. Ending one's own takes no permission: nobody has
   * to stay where others have put him. It takes a token that nothing narrows.
   *
   * @param own whether it is the caller's
   */
  public OrganizationAccess toEndMembership(Caller caller, String name, boolean own) {
    boolean leaves =
        own
            && caller instanceof Caller.SignedIn account
            && account.token().scopes().isUnrestricted();
    // Every role has org:read, so this asks no more than whether the caller is a member.
    return organization(caller, name, leaves ? ORG_READ : ORG_CONFIGURE);
  }

  /** Access to what the caller may see of an organization: as a member, or of its public side. */
  public OrganizationAccess visibleOrganization(Caller caller, String name) {
    var found = findOrganization(caller, name);
    if (grants(found.role(), found.id(), caller, ORG_READ)) {
      return new OrganizationAccess(
          found.id(), found.archived(), found.role(), caller, List.of(ORG_READ));
    }
    if (!found.hasPublic()) {
      throw refusal(caller, ORG_READ);
    }
    return new OrganizationAccess(found.id(), found.archived(), null, caller, List.of(ORG_READ));
  }

  private static boolean grants(Role role, UUID orgId, Caller caller, Permission permission) {
    return role != null
        && role.grants(permission)
        && caller instanceof Caller.SignedIn account
        && account.token().scopes().carry(permission, orgId);
  }

  /** An organization that the caller may know of. */
  private OrganizationCandidate findOrganization(Caller caller, String name) {
    return database
        .first(
            FIND_ORGANIZATION,
            row ->
                new OrganizationCandidate(
                    row.getObject(1, UUID.class),
                    row.getBoolean(2),
                    row.getBoolean(3),
                    row.getBoolean(4),
                    role(row.getString(5)),
                    row.getBoolean(6)),
            caller.sessionIdOrNull(),
            caller.sessionIdOrNull(),
            folded(name),
            caller.accountIdOrNull())
        .map(found -> live(found, found.live()))
        .filter(OrganizationCandidate::isVisible)
        .orElseThrow(
            () ->
                Problem.notFound(
                    "There is no organization `%s`, or you may not know of it.".formatted(name)));
  }

  /** A repository that the caller may know of. */
  private Candidate findVisible(Caller caller, String org, String repo) {
    return database
        .first(
            FIND_ONE,
            Authorizer::candidate,
            caller.sessionIdOrNull(),
            caller.sessionIdOrNull(),
            folded(org),
            folded(repo),
            caller.accountIdOrNull())
        .map(found -> live(found, found.live()))
        .filter(Candidate::isVisible)
        .orElseThrow(() -> noRepository(org, repo));
  }

  private static Candidate candidate(ResultSet row) throws SQLException {
    return new Candidate(
        row.getObject(1, UUID.class),
        row.getObject(2, UUID.class),
        row.getBoolean(3),
        row.getString(4),
        row.getString(5),
        row.getBoolean(6),
        row.getBoolean(7),
        role(row.getString(8)),
        row.getLong(9),
        row.getBoolean(10));
  }

  /** What was found, unless the session of the caller's token has ended. */
  private static <T> T live(T found, boolean live) {
    if (!live) {
      throw Sessions.ended();
    }
    return found;
  }

  static Problem refusal(Caller caller, Permission... anyOf) {
    return refusal(caller, " or ", anyOf);
  }

  static Problem refusal(Caller caller, String between, Permission... permissions) {
    if (caller instanceof Caller.Anonymous) {
      return Problem.of(ErrorCode.UNAUTHENTICATED, "This needs `Authorization: Bearer <token>`.");
    }
    var needed =
        Arrays.stream(permissions).map(Permission::scope).collect(Collectors.joining(between));
    return Problem.of(ErrorCode.FORBIDDEN, "This needs the permission " + needed + ".");
  }

  private static Problem noRepository(String org, String repo) {
    return Problem.notFound(
        "There is no repository `%s/%s`, or you may not know of it.".formatted(org, repo));
  }

  static Role role(String wire) {
    return Role.of(wire).orElse(null);
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}

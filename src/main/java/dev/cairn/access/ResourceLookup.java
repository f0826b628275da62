package dev.cairn.access;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.model.Problem;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Finds repositories and organizations by name, with what the {@link Authorizer} needs for its
 * decision. The same statement checks whether the caller's token is still valid.
 */
@ApplicationScoped
class ResourceLookup {
  private static final String FIND_ONE = find("(select ?::text, ?::text)");
  private static final String FIND_EACH = find("unnest(?::text[], ?::text[])");

  private static final String FIND_ORGANIZATION =
      "select "
          + LiveSession.CONDITION
          + """
               as is_live, o.id, o.archived_at is not null as archived, m.role,
                 (select version from access_version where id = ?::uuid) as account_version,
                 exists (select from repository r
                         where r.org_id = o.id and r.visibility = 'public') as has_public
          from (select ?::text) as wanted (name)
          left join organization o on o.name = wanted.name
          left join member m on m.org_id = o.id and m.account_id = ?
          """;

  private final Database database;
  private final AccessMemory memory;
  private final Grants grants;
  private final LookUpLimit limit;

  /**
   * A repository that was looked up, and the caller's role in it.
   *
   * @param repoId null if there is none; the other values are then meaningless
   * @param isArchived whether the repository or its organization is
   * @param role null for an outsider
   * @param seq the sequence number of the newest commit
   * @param orgVersion the version of the organization, which a change of access increments
   * @param standing the state of the caller's token
   */
  record Repository(
      UUID orgId,
      UUID repoId,
      String org,
      String repo,
      boolean isPublic,
      boolean isArchived,
      Role role,
      long seq,
      Long orgVersion,
      TokenStanding standing) {

    /** The name as {@code org/repo}. */
    String fullName() {
      return org + "/" + repo;
    }

    /** Whether the account may see that it exists. */
    boolean isVisible() {
      return repoId != null && (isPublic || role != null);
    }

    /** Whether the account's role has a permission, whatever its token carries. */
    boolean grants(Permission permission) {
      return (isPublic && permission == REPO_READ) || (role != null && role.grants(permission));
    }
  }

  /**
   * The same for an organization.
   *
   * @param hasPublic whether any of its repositories is public
   */
  record Organization(
      UUID id, boolean isArchived, boolean hasPublic, Role role, TokenStanding standing) {

    boolean isVisible() {
      return hasPublic || role != null;
    }
  }

  /**
   * The state of the caller's token at the look-up.
   *
   * @param isLive whether its session is live; true for a token without a session
   * @param accountVersion the version of the account, which a change of access increments; null
   *     without an account
   */
  record TokenStanding(boolean isLive, Long accountVersion) {
    static TokenStanding of(ResultSet row) throws SQLException {
      return new TokenStanding(
          row.getBoolean("is_live"), row.getObject("account_version", Long.class));
    }
  }

  ResourceLookup(Database database, AccessMemory memory, Grants grants, LookUpLimit limit) {
    this.database = database;
    this.memory = memory;
    this.grants = grants;
    this.limit = limit;
  }

  /**
   * One row for each wanted name, whether it exists or not, since each row tells whether the
   * session is live.
   *
   * @param wanted SQL of the names of organizations and repositories
   */
  private static String find(String wanted) {
    return "select "
        + LiveSession.CONDITION
        + """
         as is_live, o.id as org_id, r.id as repo_id, wanted.org, wanted.repo,
           r.visibility = 'public' as is_public,
           coalesce(r.archived_at, o.archived_at) is not null as archived, m.role,
        """
        + NewestSeq.of("r.id")
        + """
         as seq,
           (select version from access_version where id = ?::uuid) as account_version,
           (select version from access_version where id = o.id) as org_version
        from
        """
        + wanted
        + """
         as wanted (org, repo)
        left join organization o on o.name = wanted.org
        left join repository r on r.org_id = o.id and r.name = wanted.repo
        left join member m on m.org_id = o.id and m.account_id = ?
        """;
  }

  /**
   * An organization that the caller may know of.
   *
   * @throws Problem {@code NOT_FOUND}; {@code UNAUTHENTICATED} if the session of the token has
   *     ended
   */
  Organization organization(Caller caller, String name) {
    return first(
            caller,
            FIND_ORGANIZATION,
            row ->
                new Organization(
                    row.getObject("id", UUID.class),
                    row.getBoolean("archived"),
                    row.getBoolean("has_public"),
                    Authorizer.role(row.getString("role")),
                    TokenStanding.of(row)),
            caller.sessionIdOrNull(),
            caller.sessionIdOrNull(),
            caller.accountIdOrNull(),
            folded(name),
            caller.accountIdOrNull())
        .map(found -> valid(caller, found, found.standing()))
        .filter(Organization::isVisible)
        .orElseThrow(
            () ->
                Problem.notFound(
                    "There is no organization `%s`, or you may not see it.".formatted(name)));
  }

  /** The first row of a query that authorizes a caller; without credentials, in its turn. */
  private <T> Optional<T> first(
      Caller caller, String sql, Database.RowMapper<T> mapper, Object... parameters) {
    return switch (caller) {
      case Caller.Anonymous nobody ->
          limit.lookUp(nobody, () -> database.first(sql, mapper, parameters));
      case Caller.SignedIn _ -> database.first(sql, mapper, parameters);
    };
  }

  /**
   * Those of some repositories that the caller may know of. Waits for no turn: reads look up others
   * in theirs.
   *
   * @param names as {@code org/repo}, in lower case
   * @throws Problem {@code UNAUTHENTICATED} if the session of the token has ended
   */
  List<Repository> repositories(Caller caller, Set<String> names) {
    var wanted = List.copyOf(names);
    return database
        .list(
            FIND_EACH,
            ResourceLookup::read,
            caller.sessionIdOrNull(),
            caller.sessionIdOrNull(),
            caller.accountIdOrNull(),
            Columns.strings(wanted, n -> n.substring(0, n.indexOf('/'))),
            Columns.strings(wanted, n -> n.substring(n.indexOf('/') + 1)),
            caller.accountIdOrNull())
        .stream()
        .map(found -> valid(caller, found, found.standing()))
        .filter(Repository::isVisible)
        .toList();
  }

  /**
   * A repository that the caller may know of.
   *
   * @throws Problem {@code NOT_FOUND}; {@code UNAUTHENTICATED} if the session of the token has
   *     ended
   */
  Repository repository(Caller caller, String org, String repo) {
    return first(
            caller,
            FIND_ONE,
            ResourceLookup::read,
            caller.sessionIdOrNull(),
            caller.sessionIdOrNull(),
            caller.accountIdOrNull(),
            folded(org),
            folded(repo),
            caller.accountIdOrNull())
        .map(found -> valid(caller, found, found.standing()))
        .filter(Repository::isVisible)
        .map(found -> kept(caller, found))
        .orElseThrow(() -> noRepository(org, repo));
  }

  private Repository kept(Caller caller, Repository found) {
    memory.keep(caller, found);
    return found;
  }

  private static Repository read(ResultSet row) throws SQLException {
    return new Repository(
        row.getObject("org_id", UUID.class),
        row.getObject("repo_id", UUID.class),
        row.getString("org"),
        row.getString("repo"),
        row.getBoolean("is_public"),
        row.getBoolean("archived"),
        Authorizer.role(row.getString("role")),
        row.getLong("seq"),
        row.getObject("org_version", Long.class),
        TokenStanding.of(row));
  }

  /**
   * Returns what was found, unless the caller's token is no longer valid: its session has ended, or
   * it was cached and access has changed since.
   */
  private <T> T valid(Caller caller, T found, TokenStanding standing) {
    if (!standing.isLive()) {
      throw LiveSession.ended();
    }
    if (caller instanceof Caller.SignedIn account) {
      if (account.sessionIdOrNull() != null && standing.accountVersion() != null) {
        memory.keepLiveSession(account.sessionIdOrNull(), standing.accountVersion());
      } else if (account.accessVersion() != null
          && !account.accessVersion().equals(standing.accountVersion())) {
        grants.verifyTokenAgain(account);
      }
    }
    grants.tokenIsValid();
    return found;
  }

  private static Problem noRepository(String org, String repo) {
    return Problem.notFound(
        "There is no repository `%s/%s`, or you may not see it.".formatted(org, repo));
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}

package dev.cairn.access;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Finds repositories and organizations by name, with what the {@link Authorizer} needs for its
 * decision. The same statement checks whether the session of the caller's token is live.
 */
@ApplicationScoped
class ResourceLookup {
  /** Names no row, so that look-ups by the id of a missing row are made too. */
  private static final String NONE = "'00000000-0000-0000-0000-000000000000'";

  /** Names the row of the table {@code decoy}. */
  private static final String DECOY = "'ffffffff-ffff-ffff-ffff-ffffffffffff'";

  /**
   * Makes the same look-ups, fetches as many rows and answers one row of the same size for each
   * wanted name, whether it exists or not: a hidden name must not take longer than a missing one.
   * For each row that may be missing there is a decoy that is fetched in its place.
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

  private final Database database;

  /**
   * A repository that was asked for, and the caller's role in it.
   *
   * @param exists whether there is one; the other values mean nothing if not
   * @param archived whether it or its organization is
   * @param role null for an outsider
   * @param seq the sequence number of the newest commit
   * @param isLive whether the session of the caller's token is; true without one
   */
  record Repository(
      UUID orgId,
      UUID repoId,
      boolean exists,
      String org,
      String repo,
      boolean isPublic,
      boolean archived,
      Role role,
      long seq,
      boolean isLive) {

    /** Whether the account may see that it exists. */
    boolean isVisible() {
      return exists && (isPublic || role != null);
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
      UUID id, boolean exists, boolean archived, boolean hasPublic, Role role, boolean isLive) {

    boolean isVisible() {
      return exists && (hasPublic || role != null);
    }
  }

  ResourceLookup(Database database) {
    this.database = database;
  }

  /**
   * An organization that the caller may know of.
   *
   * @throws Problem {@code NOT_FOUND}; {@code UNAUTHENTICATED} if the session of the token has
   *     ended
   */
  Organization organization(Caller caller, String name) {
    return database
        .first(
            FIND_ORGANIZATION,
            row ->
                new Organization(
                    row.getObject(1, UUID.class),
                    row.getBoolean(2),
                    row.getBoolean(3),
                    row.getBoolean(4),
                    Authorizer.role(row.getString(5)),
                    row.getBoolean(6)),
            caller.sessionIdOrNull(),
            caller.sessionIdOrNull(),
            folded(name),
            caller.accountIdOrNull())
        .map(found -> live(found, found.isLive()))
        .filter(Organization::isVisible)
        .orElseThrow(
            () ->
                Problem.notFound(
                    "There is no organization `%s`, or you may not see it.".formatted(name)));
  }

  /**
   * Those of some repositories that the caller may know of.
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
            wanted.stream().map(n -> n.substring(0, n.indexOf('/'))).toArray(String[]::new),
            wanted.stream().map(n -> n.substring(n.indexOf('/') + 1)).toArray(String[]::new),
            caller.accountIdOrNull())
        .stream()
        .map(found -> live(found, found.isLive()))
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
    return database
        .first(
            FIND_ONE,
            ResourceLookup::read,
            caller.sessionIdOrNull(),
            caller.sessionIdOrNull(),
            folded(org),
            folded(repo),
            caller.accountIdOrNull())
        .map(found -> live(found, found.isLive()))
        .filter(Repository::isVisible)
        .orElseThrow(() -> noRepository(org, repo));
  }

  private static Repository read(ResultSet row) throws SQLException {
    return new Repository(
        row.getObject(1, UUID.class),
        row.getObject(2, UUID.class),
        row.getBoolean(3),
        row.getString(4),
        row.getString(5),
        row.getBoolean(6),
        row.getBoolean(7),
        Authorizer.role(row.getString(8)),
        row.getLong(9),
        row.getBoolean(10));
  }

  /** What was found, unless the session of the caller's token has ended. */
  private static <T> T live(T found, boolean isLive) {
    if (!isLive) {
      throw Sessions.ended();
    }
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

package dev.cairn.access;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The one place that says yes. Who has no role in a private repository's organization gets the
 * answer for one that does not exist; a member who lacks the permission gets {@code FORBIDDEN}; an
 * anonymous write to a public one is {@code UNAUTHENTICATED}. See {@code docs/access.md}.
 */
@ApplicationScoped
public class Authorizer {
  private final Database database;

  private record Candidate(
      UUID repoId, String org, String repo, boolean isPublic, boolean archived, Role role) {}

  private record OrganizationCandidate(UUID id, boolean archived, boolean hasPublic, Role role) {}

  /**
   * A caller's standing in an organization.
   *
   * @param role null for an outsider who may see it for the sake of its public repositories
   */
  public record OrganizationAccess(UUID orgId, boolean archived, Role role, Caller caller) {}

  Authorizer(Database database) {
    this.database = database;
  }

  /** Access to a repository for any one of the permissions. */
  public RepositoryAccess repository(Caller caller, String org, String repo, Permission... anyOf) {
    var found =
        find(caller, org, repo)
            .filter(c -> c.isPublic() || c.role() != null)
            .orElseThrow(() -> noRepository(org, repo));
    if (!allows(found, anyOf)) {
      throw refusal(caller, anyOf);
    }
    return new RepositoryAccess(
        found.repoId(), found.org(), found.repo(), found.archived(), caller);
  }

  /**
   * Which of some repositories the caller may read.
   *
   * @param names as {@code org/repo}, in lower case
   * @return the ids of the readable ones by those names
   */
  public Map<String, UUID> readable(Caller caller, Set<String> names) {
    var readable = new HashMap<String, UUID>();
    database.each(
        """
        select o.name, r.name, r.visibility = 'public', m.role, r.id
        from organization o
        join repository r on r.org_id = o.id
        left join member m on m.org_id = o.id and m.account_id = ?
        where o.name || '/' || r.name = any (?) and o.name = any (?)
        """,
        0,
        row -> {
          var role = role(row.getString(4));
          if (row.getBoolean(3) || (role != null && role.grants(REPO_READ))) {
            readable.put(row.getString(1) + "/" + row.getString(2), row.getObject(5, UUID.class));
          }
          return true;
        },
        caller.accountIdOrNull(),
        names.toArray(String[]::new),
        names.stream()
            .map(name -> name.substring(0, name.indexOf('/')))
            .distinct()
            .toArray(String[]::new));
    return readable;
  }

  /** Access to an organization for a permission, or to what outsiders see of it. */
  public OrganizationAccess organization(Caller caller, String name, Permission permission) {
    var access = visibleOrganization(caller, name);
    if (access.role() == null || !access.role().grants(permission)) {
      throw refusal(caller, permission);
    }
    return access;
  }

  /** Access to what the caller may see of an organization: as a member, or of its public side. */
  public OrganizationAccess visibleOrganization(Caller caller, String name) {
    return database
        .first(
            """
            select o.id, o.archived_at is not null,
                   exists (select from repository r
                           where r.org_id = o.id and r.visibility = 'public'), m.role
            from organization o
            left join member m on m.org_id = o.id and m.account_id = ?
            where o.name = ?
            """,
            row ->
                new OrganizationCandidate(
                    row.getObject(1, UUID.class),
                    row.getBoolean(2),
                    row.getBoolean(3),
                    role(row.getString(4))),
            caller.accountIdOrNull(),
            folded(name))
        .filter(o -> o.hasPublic() || o.role() != null)
        .map(o -> new OrganizationAccess(o.id(), o.archived(), o.role(), caller))
        .orElseThrow(
            () ->
                Problem.notFound(
                    "There is no organization `%s`, or you may not know of it.".formatted(name)));
  }

  private Optional<Candidate> find(Caller caller, String org, String repo) {
    return database.first(
        """
        select r.id, o.name, r.name, r.visibility = 'public',
               r.archived_at is not null or o.archived_at is not null, m.role
        from organization o
        join repository r on r.org_id = o.id
        left join member m on m.org_id = o.id and m.account_id = ?
        where o.name = ? and r.name = ?
        """,
        Authorizer::candidate,
        caller.accountIdOrNull(),
        folded(org),
        folded(repo));
  }

  private static Candidate candidate(ResultSet row) throws SQLException {
    return new Candidate(
        row.getObject(1, UUID.class),
        row.getString(2),
        row.getString(3),
        row.getBoolean(4),
        row.getBoolean(5),
        role(row.getString(6)));
  }

  private static boolean allows(Candidate found, Permission... anyOf) {
    return Arrays.stream(anyOf)
        .anyMatch(
            permission ->
                (found.isPublic() && permission == REPO_READ)
                    || (found.role() != null && found.role().grants(permission)));
  }

  private static Problem refusal(Caller caller, Permission... anyOf) {
    if (caller instanceof Caller.Anonymous) {
      return Problem.of(ErrorCode.UNAUTHENTICATED, "This needs `Authorization: Bearer <token>`.");
    }
    var needed = Arrays.stream(anyOf).map(Permission::scope).collect(Collectors.joining(" or "));
    return Problem.of(ErrorCode.FORBIDDEN, "This needs the permission " + needed + ".");
  }

  private static Problem noRepository(String org, String repo) {
    return Problem.notFound(
        "There is no repository `%s/%s`, or you may not know of it.".formatted(org, repo));
  }

  private static Role role(String wire) {
    return Role.of(wire).orElse(null);
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}

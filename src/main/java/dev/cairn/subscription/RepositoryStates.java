package dev.cairn.subscription;

import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Set;
import java.util.UUID;

/**
 * Repositories as they are now, for requests that were authorized earlier and have waited for locks
 * since. See {@code docs/access.md}, Order of checks.
 */
@ApplicationScoped
class RepositoryStates {
  private static final String SELECT =
      """
      select r.org_id, r.name, coalesce(r.archived_at, o.archived_at) is not null as is_archived,
      """
          + Recheck.CONDITION
          + """
           as is_granted
          from repository r join organization o on o.id = r.org_id where r.id = ?
          """;

  private final Database database;
  private final Recheck recheck;

  /**
   * A repository.
   *
   * @param isArchived whether it or its organization is archived
   */
  record State(UUID orgId, String name, boolean isArchived) {}

  private record Checked(State state, boolean isGranted) {}

  RepositoryStates(Database database, Recheck recheck) {
    this.database = database;
    this.recheck = recheck;
  }

  /**
   * The repository of a request whose caller still has the permissions.
   *
   * @throws Problem {@code FORBIDDEN} if it has lost one of them, {@code NOT_FOUND} if it was
   *     removed or the name leads to another repository, {@code UNAUTHENTICATED} for a token that
   *     was just revoked or has expired
   */
  State requireStill(RepositoryAccess access, Set<Permission> needed) {
    Recheck.requireUnexpired(access.account());
    var parameters = new ArrayList<Object>(Recheck.parameters(access, needed));
    parameters.add(access.repoId());
    return database
        .first(
            SELECT,
            row ->
                new Checked(
                    new State(
                        row.getObject("org_id", UUID.class),
                        row.getString("name"),
                        row.getBoolean("is_archived")),
                    row.getBoolean("is_granted")),
            parameters.toArray())
        .filter(Checked::isGranted)
        .map(Checked::state)
        .orElseThrow(() -> recheck.lost(access, needed));
  }
}

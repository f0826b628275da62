package dev.cairn.tenant;

import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.NewestSeq;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Shows repositories themselves: one, those of an organization, and their names. */
@ApplicationScoped
public class RepositoryReads {
  private static final String COLUMNS =
      """
      select o.name as org, r.name, r.description, r.visibility, %s as seq,
             coalesce(r.archived_at, o.archived_at) as archived_at, r.created_at, r.updated_at
      """
          .formatted(NewestSeq.of("r.id"));

  private static final String FROM =
      """
       from repository r
      join organization o on o.id = r.org_id
      """;

  private static final String SELECT = COLUMNS + ", r.settings" + FROM;

  private static final String PAGE =
      COLUMNS
          + ", "
          // 512 for everything but the description.
          + Pager.fits("512 + " + Pager.jsonBytes("r.description"))
          + FROM
          + """
          where r.org_id = ? and (r.visibility = 'public' or ? or r.id = any (?))
            and starts_with(r.name, ?) and r.name collate "C" > ?
          """
          + Pager.inOrder("r.name collate \"C\"")
          + " limit ?";

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final SettingsChange settings;

  RepositoryReads(Database database, ReadBounds bounds, Cursors cursors, SettingsChange settings) {
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
    this.settings = settings;
  }

  /**
   * One repository; its settings only for callers that may write to it.
   *
   * @throws Problem {@code NOT_FOUND} if it was deleted since the access was given
   */
  public RepositoryView get(RepositoryAccess access) {
    return bounds.within(access, () -> find(access));
  }

  /** The same, in the transaction that changed it. */
  RepositoryView find(RepositoryAccess access) {
    boolean shown = access.role() != null && access.role().grants(REPO_WRITE);
    return view(
        access.repoId(), row -> view(row, shown ? shown(access, row.getString("settings")) : null));
  }

  private RepositorySettings shown(RepositoryAccess access, String stored) {
    var all = settings.read(stored);
    return access.seesDetails() ? all : all.withoutDetails();
  }

  /** The public repositories of an organization, and those that the caller may read, by name. */
  public Page<RepositoryView> list(OrganizationAccess access, int limit, Optional<String> cursor) {
    return list(access, "", limit, cursor);
  }

  /** The names of the first of them whose names have a beginning. */
  public List<String> names(OrganizationAccess access, String beginning, int max) {
    return list(access, beginning, max, Optional.empty()).items().stream()
        .map(RepositoryView::name)
        .toList();
  }

  private Page<RepositoryView> list(
      OrganizationAccess access, String beginning, int limit, Optional<String> cursor) {
    var list = "repos " + access.orgId();
    var readable = access.readable();
    var after = cursor.map(c -> cursors.read(list, c, List::getFirst)).orElse("");
    return bounds.within(
        access.caller(),
        () ->
            new Pager(cursors, list, limit)
                .read(
                    database,
                    PAGE,
                    row -> view(row, null),
                    last -> List.of(last.name()),
                    PageBytes.max(),
                    access.orgId(),
                    readable.isEmpty(),
                    readable.orElse(Set.of()).toArray(UUID[]::new),
                    beginning,
                    after,
                    limit + 1));
  }

  /** One that the caller has just made: with all of its settings. */
  RepositoryView created(UUID repoId) {
    return view(repoId, row -> view(row, settings.read(row.getString("settings"))));
  }

  private RepositoryView view(UUID repoId, Database.RowMapper<RepositoryView> view) {
    return database
        .first(SELECT + " where r.id = ?", view, repoId)
        .orElseThrow(RepositoryReads::gone);
  }

  /** That it is not there any more, although the caller was allowed to read it. */
  static Problem gone() {
    return Problem.notFound("The repository was just deleted.");
  }

  private static RepositoryView view(ResultSet row, RepositorySettings settings)
      throws SQLException {
    return new RepositoryView(
        row.getString("org"),
        row.getString("name"),
        row.getString("description"),
        row.getString("visibility"),
        settings,
        row.getLong("seq"),
        Rows.instant(row, "archived_at"),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "updated_at"));
  }
}

package dev.cairn.tenant;

import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.Ids;
import dev.cairn.platform.Page;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import jakarta.transaction.Transactional;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.hibernate.exception.ConstraintViolationException;

/** Makes, shows, changes and deletes repositories. */
@ApplicationScoped
public class Repositories {
  private static final int MAX_DESCRIPTION = 2_000;
  private static final Set<String> VISIBILITIES = Set.of("public", "private");
  private static final int HASH_BYTES = 32;

  private static final String SELECT =
      """
      select o.name, r.name, r.description, r.visibility, h.seq,
             coalesce(r.archived_at, o.archived_at), r.created_at, r.updated_at
      from repository r
      join organization o on o.id = r.org_id
      join repository_head h on h.repo_id = r.id
      """;

  private final Database database;

  Repositories(Database database) {
    this.database = database;
  }

  /** Makes a repository with its built-in shapes; private unless said otherwise. */
  @Transactional
  public RepositoryView create(
      OrganizationAccess access, String name, String description, String visibility) {
    var repository = new Repository();
    repository.id = Ids.next();
    repository.orgId = access.orgId();
    repository.name = checkedName(name);
    repository.description = Organizations.text("/description", description, MAX_DESCRIPTION);
    repository.visibility = visibility == null ? "private" : checkedVisibility(visibility);
    repository.settings = "{}";
    repository.createdAt = Instant.now();
    repository.updatedAt = repository.createdAt;
    refuseIfArchived(access.archived());
    if (Repository.count("orgId = ?1 and name = ?2", access.orgId(), repository.name) > 0) {
      throw taken(repository);
    }
    try {
      repository.persistAndFlush();
    } catch (ConstraintViolationException e) {
      // Somebody else was faster by a moment.
      throw taken(repository);
    }
    createContent(repository);
    return get(repository.id);
  }

  /** One repository. */
  public RepositoryView get(RepositoryAccess access) {
    return get(access.repoId());
  }

  /** The repositories of an organization that the caller may see, by name. */
  public Page<RepositoryView> list(OrganizationAccess access, int limit, Optional<String> cursor) {
    var list = "repos " + access.orgId();
    var after = cursor.map(c -> Cursor.keys(list, c).getFirst()).orElse("");
    var rows =
        database.list(
            SELECT
                + """
                where r.org_id = ? and (? or r.visibility = 'public') and r.name collate "C" > ?
                order by r.name collate "C" limit ?
                """,
            Repositories::view,
            access.orgId(),
            access.role() != null,
            after,
            limit + 1);
    return Page.of(rows, limit, last -> Cursor.of(list, last.name()));
  }

  /** Changes what was given; null leaves a field as it is. An archived one can be unarchived. */
  @Transactional
  public RepositoryView update(
      RepositoryAccess access, String description, String visibility, Boolean archived) {
    var checkedDescription = Organizations.text("/description", description, MAX_DESCRIPTION);
    var checkedVisibility = visibility == null ? null : checkedVisibility(visibility);
    Repository repository = Repository.findById(access.repoId(), LockModeType.PESSIMISTIC_WRITE);
    Organization organization = Organization.findById(repository.orgId);
    refuseIfArchived(
        organization.archivedAt != null
            || (repository.archivedAt != null && !Boolean.FALSE.equals(archived)));
    if (checkedDescription != null) {
      repository.description = checkedDescription;
    }
    if (checkedVisibility != null) {
      repository.visibility = checkedVisibility;
    }
    if (archived != null) {
      repository.archivedAt = archived ? Instant.now() : null;
    }
    repository.updatedAt = Instant.now();
    repository.persistAndFlush();
    return get(access.repoId());
  }

  /** Deletes a repository with all that it holds. */
  @Transactional
  public void delete(RepositoryAccess access) {
    // Behind the commit that may be running, and before any other one: they lock the same row
    // first.
    database.list(
        "select from repository_head where repo_id = ? for update", _ -> true, access.repoId());
    // As sets, in one sweep a table; a large repository takes longer than an ordinary answer may.
    database.update("set local statement_timeout = 0");
    for (var table :
        new String[] {"reference", "entity_rename", "entity_version", "entity", "commit_log"}) {
      database.update("delete from " + table + " where repo_id = ?", access.repoId());
    }
    Repository.deleteById(access.repoId());
  }

  private RepositoryView get(UUID repoId) {
    return database
        .first(SELECT + " where r.id = ?", Repositories::view, repoId)
        .orElseThrow(() -> Problem.notFound("The repository was just deleted."));
  }

  private void createContent(Repository repository) {
    database.update(
        "insert into repository_head (repo_id, next_entity_id, hash) values (?, ?, ?)",
        repository.id,
        BuiltinShape.FIRST_FREE_ID,
        new byte[HASH_BYTES]);
    var shapes = BuiltinShape.values();
    var ids = new long[shapes.length];
    var names = new String[shapes.length];
    var definitions = new String[shapes.length];
    var hashes = new byte[shapes.length][];
    for (int i = 0; i < shapes.length; i++) {
      var definition = IJson.read(shapes[i].definition().getBytes(StandardCharsets.UTF_8));
      ids[i] = shapes[i].id();
      names[i] = shapes[i].shapeName();
      definitions[i] = StoredJson.of(definition, Map.of());
      hashes[i] = CanonicalJson.hash(CanonicalJson.of(definition));
    }
    database.update(
        """
        insert into entity (repo_id, id, kind, shape_id, shape_name, name, version, active,
                            shape_version, data, data_hash, author, created_seq, created_op,
                            created_at, updated_at)
        select ?, b.id, 'shape', ?, 'Shape', b.name, 1, true, 1, b.data, b.hash, 'Cairn', 0, 0,
               t.now, t.now
        from unnest(?, ?, ?, ?) as b (id, name, data, hash), (select ?::timestamptz as now) t
        """,
        repository.id,
        BuiltinShape.SHAPE.id(),
        ids,
        names,
        definitions,
        hashes,
        repository.createdAt);
    database.update(
        """
        insert into entity_version (repo_id, entity_id, version, valid_from, op_index, operation,
                                    active, shape_id, shape_version, data, data_hash)
        select repo_id, id, 1, 0, 0, 'add', true, shape_id, 1, data, data_hash
        from entity where repo_id = ?
        """,
        repository.id);
  }

  private static Problem taken(Repository repository) {
    return Problem.of(
        ErrorCode.ALREADY_EXISTS,
        "There is a repository `%s` in this organization already.".formatted(repository.name));
  }

  private static void refuseIfArchived(boolean archived) {
    if (archived) {
      throw Problem.of(ErrorCode.ARCHIVED, "The repository or its organization is archived.");
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

  private static RepositoryView view(ResultSet row) throws SQLException {
    return new RepositoryView(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getLong(5),
        Rows.instant(row, 6),
        Rows.instant(row, 7),
        Rows.instant(row, 8));
  }
}

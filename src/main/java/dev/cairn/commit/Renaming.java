package dev.cairn.commit;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes names in place, and the texts that say them: the payloads of whatever refers to what was
 * renamed, in every version and in other repositories too, the targets of assertions, and the
 * definitions that name a shape. A handful of statements for any number of renames.
 */
@ApplicationScoped
class Renaming {
  private final Database database;

  Renaming(Database database) {
    this.database = database;
  }

  /**
   * One replacement in stored texts.
   *
   * @param ofShape whether it concerns all entities of the shape {@code id}, else {@code id} itself
   */
  private record Change(int op, long id, boolean ofShape, String before, String after) {}

  /** Renames what the database has; runs before the commit's own versions are written. */
  void apply(Commit commit, List<CommitPlan.Rename> all) {
    var renames = all.stream().filter(rename -> !rename.entity().isNew()).toList();
    if (renames.isEmpty()) {
      return;
    }
    var shapes = renames.stream().filter(CommitPlan.Rename::ofShape).toList();
    lockReferrers(commit);
    replaceReferences(commit, changes(renames, ""), true);
    replaceReferences(commit, changes(renames, canonicalPrefix(commit)), false);
    renameEntities(commit, renames);
    if (!shapes.isEmpty()) {
      renameShapeOfEntities(commit, shapes);
      replaceConstraints(commit, shapes);
    }
    replaceAbouts(commit, renames, "", true);
    replaceAbouts(commit, renames, canonicalPrefix(commit), false);
  }

  /**
   * Holds off all commits of the repositories whose texts may change: one that makes a version of
   * the same payload, such as a retract, would copy the former text.
   */
  private void lockReferrers(Commit commit) {
    database.list(
        """
        select from repository_head
        where repo_id in (
          select repo_id from reference where to_repo_id = ? and to_repo_id <> repo_id
          union
          select repo_id from entity where about_repo_id = ? and about_repo_id <> repo_id)
        order by repo_id for update
        """,
        _ -> true,
        commit.repoId(),
        commit.repoId());
  }

  /** Also holds off the commits that refer to this repository until the new names are there. */
  private String canonicalPrefix(Commit commit) {
    return database
        .first(
            """
            select 'cairn:' || o.name || '/' || r.name || '/'
            from repository r join organization o on o.id = r.org_id where r.id = ?
            for no key update of r
            """,
            row -> row.getString(1),
            commit.repoId())
        .orElseThrow();
  }

  /** Keeps the former names; runs when every entity is there. */
  void record(Commit commit, List<CommitPlan.Rename> renames) {
    if (renames.isEmpty()) {
      return;
    }
    database.update(
        """
        insert into entity_rename (repo_id, seq, entity_id, op_index, old_name, new_name)
        select ?, ?, n.* from unnest(?, ?, ?, ?) as n (id, op_index, old_name, new_name)
        """,
        commit.repoId(),
        commit.seq(),
        ids(renames),
        renames.stream().mapToInt(CommitPlan.Rename::opIndex).toArray(),
        oldNames(renames),
        newNames(renames));
  }

  private void renameEntities(Commit commit, List<CommitPlan.Rename> renames) {
    database.update(
        """
        update entity e set name = n.name from unnest(?, ?) as n (id, name)
        where e.repo_id = ? and e.id = n.id
        """,
        ids(renames),
        newNames(renames),
        commit.repoId());
  }

  private void renameShapeOfEntities(Commit commit, List<CommitPlan.Rename> shapes) {
    database.update(
        """
        update entity e set shape_name = n.new_name from unnest(?, ?) as n (old_name, new_name)
        where e.repo_id = ? and e.shape_name = n.old_name
        """,
        oldNames(shapes),
        newNames(shapes),
        commit.repoId());
  }

  /** Rewrites the marked texts in the data of every version that refers to what is renamed. */
  private void replaceReferences(Commit commit, List<Change> changes, boolean here) {
    var edges =
        """
        with renamed as (
          select * from unnest(?, ?, ?, ?, ?) as n (op, id, of_shape, old_text, new_text)),
        target as (
          select n.*, n.id as target_id from renamed n where not n.of_shape
          union all
          select n.*, t.id from renamed n
          join entity s on s.repo_id = ? and s.id = n.id
          join entity t on t.repo_id = ? and t.shape_name = s.name
          where n.of_shape),
        edge as (
          select distinct r.repo_id, r.from_id, r.from_version, r.head, t.op, t.old_text,
                 t.new_text
          from target t
          join reference r on %s and r.to_id = t.target_id),
        change as (
          select repo_id, from_id, from_version, head, array_agg(old_text order by op) as olds,
                 array_agg(new_text order by op) as news
          from edge group by repo_id, from_id, from_version, head)
        """
            .formatted(
                here
                    ? "r.repo_id = ? and r.to_repo_id = ?"
                    : "r.to_repo_id = ? and r.repo_id <> ? and r.to_repo_id <> r.repo_id");
    for (var update : List.of(VERSION_TEXT, HEAD_TEXT)) {
      database.update(
          edges + update,
          changes.stream().mapToInt(Change::op).toArray(),
          changes.stream().mapToLong(Change::id).toArray(),
          changes.stream().map(Change::ofShape).toArray(Boolean[]::new),
          changes.stream().map(Change::before).toArray(String[]::new),
          changes.stream().map(Change::after).toArray(String[]::new),
          commit.repoId(),
          commit.repoId(),
          commit.repoId(),
          commit.repoId());
    }
  }

  private static final String VERSION_TEXT =
      """
      update entity_version v set data = replace_each(v.data, c.olds, c.news)
      from change c
      where v.repo_id = c.repo_id and v.entity_id = c.from_id and v.version = c.from_version
      """;

  private static final String HEAD_TEXT =
      """
      update entity e set data = replace_each(e.data, c.olds, c.news)
      from change c
      where c.head and e.repo_id = c.repo_id and e.id = c.from_id
      """;

  /** What changes at the beginning of references: a shape's name stands in those of its things. */
  private static List<Change> changes(List<CommitPlan.Rename> renames, String prefix) {
    var changes = new ArrayList<Change>();
    for (var rename : renames) {
      changes.add(
          change(rename, false, prefix + rename.before() + "@", prefix + rename.after() + "@"));
      if (rename.ofShape()) {
        var newName = rename.entity().name;
        changes.add(change(rename, true, prefix + rename.oldName() + "/", prefix + newName + "/"));
      }
    }
    return changes;
  }

  private static Change change(
      CommitPlan.Rename rename, boolean ofShape, String before, String after) {
    return new Change(
        rename.opIndex(),
        rename.entity().id,
        ofShape,
        StoredJson.MARK + StoredJson.escape(before),
        StoredJson.MARK + StoredJson.escape(after));
  }

  /** Rewrites the names of shapes in the definitions that constrain a wref to them. */
  private void replaceConstraints(Commit commit, List<CommitPlan.Rename> shapes) {
    var olds = shapes.stream().map(s -> StoredJson.mark(s.oldName())).toArray(String[]::new);
    var news = shapes.stream().map(s -> StoredJson.mark(s.entity().name)).toArray(String[]::new);
    database.update(
        """
        update entity set data = replace_each(data, ?, ?)
        where repo_id = ? and shape_name = 'Shape' and id >= ?
        """,
        olds,
        news,
        commit.repoId(),
        BuiltinShape.FIRST_FREE_ID);
    database.update(
        """
        update entity_version set data = replace_each(data, ?, ?)
        where repo_id = ? and shape_id = ? and entity_id >= ?
        """,
        olds,
        news,
        commit.repoId(),
        BuiltinShape.SHAPE.id(),
        BuiltinShape.FIRST_FREE_ID);
  }

  /** Runs after the names have changed, and takes the new ones from the targets. */
  private void replaceAbouts(
      Commit commit, List<CommitPlan.Rename> renames, String prefix, boolean here) {
    database.update(
        """
        update entity e
        set about_wref = ? || t.shape_name || '/' || t.name || '@v' || e.about_version
        from entity t
        where t.repo_id = ? and (t.id = any (?) or t.shape_name = any (?))
          and e.about_repo_id = ? and e.about_id = t.id and %s
        """
            .formatted(here ? "e.repo_id = ?" : "e.about_repo_id <> e.repo_id and e.repo_id <> ?"),
        prefix,
        commit.repoId(),
        ids(renames),
        newNames(renames.stream().filter(CommitPlan.Rename::ofShape).toList()),
        commit.repoId(),
        commit.repoId());
  }

  private static long[] ids(List<CommitPlan.Rename> renames) {
    return renames.stream().mapToLong(r -> r.entity().id).toArray();
  }

  private static String[] oldNames(List<CommitPlan.Rename> renames) {
    return renames.stream().map(CommitPlan.Rename::oldName).toArray(String[]::new);
  }

  private static String[] newNames(List<CommitPlan.Rename> renames) {
    return renames.stream().map(r -> r.entity().name).toArray(String[]::new);
  }
}

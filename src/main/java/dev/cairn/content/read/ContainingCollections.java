package dev.cairn.content.read;

import dev.cairn.access.Narrowing;
import dev.cairn.content.CollectionShapes;
import dev.cairn.content.Moment;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.content.Statement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Statements for the active collections of a repository that contain some entities at any version,
 * and that a token may read. Members of a collection never change, so the current references are
 * valid for every moment.
 */
public final class ContainingCollections {
  private static final String LISTED = "unnest(?, ?) with ordinality as t (repo_id, id, ordinal)";

  private static final String MATCHING =
      "(select e.repo_id, e.id, 0 as ordinal from entity e %s) t";

  private static final String CONTAINERS =
      """
      select distinct t.ordinal, r.from_id
      from %s
      cross join lateral (
        select x.from_id from reference x
        where x.repo_id = ? and x.to_id = t.id and x.head and x.from_shape_id = any (?)
          and x.to_repo_id = t.repo_id
        offset 0) r
      cross join lateral (
        select x.shape_name, x.name, x.active from %s x
        where x.repo_id = ? and x.id = r.from_id
        offset 0) e
      """;

  private final UUID repoId;
  private final Narrowing narrowing;
  private final Source source;

  /**
   * A collection that contains an entity.
   *
   * @param position the position of the entity; -1 if entities are not listed
   * @param id the id of the collection
   */
  public record Container(int position, long id) {
    /** The container of the current row. */
    public static Container read(ResultSet row) throws SQLException {
      return new Container(row.getInt("ordinal") - 1, row.getLong("from_id"));
    }
  }

  /**
   * Collections of a repository.
   *
   * @param moment the moment at which the collections were active; empty for the current state
   */
  public ContainingCollections(UUID repoId, Narrowing narrowing, Optional<Moment> moment) {
    this.repoId = repoId;
    this.narrowing = narrowing;
    this.source = Source.byName(moment);
  }

  /**
   * The collections that contain these entities, as rows for {@link Container#read}.
   *
   * @param repoIds the repositories of the entities
   */
  public Statement of(UUID[] repoIds, long[] ids, int max) {
    return statement(LISTED, List.of(repoIds, ids), max);
  }

  /** The same for the entities of this repository that meet conditions. */
  public Statement ofMatching(Predicates entities, int max) {
    return statement(MATCHING.formatted(entities.sql()), List.of(entities.parameters()), max);
  }

  private Statement statement(String contained, List<Object> parameters, int max) {
    var where = new Predicates("e.active").narrowed(narrowing);
    var before = new ArrayList<>(parameters);
    before.add(repoId);
    before.add(CollectionShapes.ids());
    before.addAll(source.parameters());
    before.add(repoId);
    return new Statement(
        CONTAINERS.formatted(contained, source.sql()) + where.sql() + " limit ?",
        where.parameters(before, max));
  }
}

package dev.cairn.export;

import dev.cairn.content.CollectionShapes;
import dev.cairn.content.Moment;
import dev.cairn.content.Source;
import dev.cairn.platform.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Queries what an export shows: HEAD, or a repository as it was at a moment. A query names these
 * tables, which are of the repository alone, and which the database puts in where they are named:
 *
 * <ul>
 *   <li>{@code exported}: the entities as they are shown, for looking them up; {@code position} is
 *       their {@link Position}
 *   <li>{@code exported_by_id}: the same, for reading all of them in the order of their ids
 *   <li>{@code present}: the entities as they are now
 *   <li>{@code edge}: the references; {@code is_local} says that the target is of this repository
 *   <li>{@code inbound}: for finding references by their targets; for HEAD those of present
 *       versions, otherwise those of all versions
 * </ul>
 */
final class ExportQuery {
  private static final String TABLES =
      """
      with recursive exported as not materialized (
        select x.*, %3$s as position from %1$s x where x.repo_id = ?),
      exported_by_id as not materialized (
        select x.*, %3$s as position from %2$s x where x.repo_id = ?),
      present as not materialized (select * from entity where repo_id = ?),
      edge as not materialized (
        select r.*, r.to_repo_id = r.repo_id as is_local from reference r where r.repo_id = ?),
      inbound as not materialized (select * from edge where %4$s)
      """;

  private static final String POSITION =
      """
      ((case when x.kind = 'shape' then 0 when x.kind = 'assertion' then 3
             when x.shape_id in (%s) then 2 else 1 end)::bigint << %d) + x.id"""
          .formatted(CollectionShapes.IDS, Position.ID_BITS);

  private final Database database;
  private final String tables;
  private final List<Object> parameters;

  private ExportQuery(Database database, UUID repoId, Source byId, Source byName, String inbound) {
    this.database = database;
    this.tables = TABLES.formatted(byName.sql(), byId.sql(), POSITION, inbound);
    var bound = new ArrayList<Object>();
    bound.addAll(byName.parameters());
    bound.add(repoId);
    bound.addAll(byId.parameters());
    bound.addAll(List.of(repoId, repoId, repoId));
    this.parameters = List.copyOf(bound);
  }

  /** The repository as it is now. */
  static ExportQuery ofHead(Database database, UUID repoId) {
    return new ExportQuery(database, repoId, Source.HEAD, Source.HEAD, "head");
  }

  /** The repository as it was at a moment. */
  static ExportQuery of(Database database, Moment moment) {
    return new ExportQuery(database, moment.repoId(), moment.byId(), moment.byName(), "true");
  }

  /**
   * Runs a query.
   *
   * @param sql a {@code select}, or a comma and further tables before one
   * @param fetchSize how many rows are held at a time
   */
  void each(String sql, int fetchSize, Database.RowConsumer consumer, Object... more) {
    var all = Stream.concat(parameters.stream(), Stream.of(more)).toArray();
    database.each(tables + sql, fetchSize, consumer, all);
  }
}

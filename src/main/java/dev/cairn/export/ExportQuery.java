package dev.cairn.export;

import dev.cairn.content.CollectionShapes;
import dev.cairn.content.Moment;
import dev.cairn.content.Source;
import dev.cairn.platform.database.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Queries the content of an export: HEAD, or a repository in its state at a moment. A query may use
 * the following tables, which contain only the repository's rows and which the database inlines:
 *
 * <ul>
 *   <li>{@code exported}: the exported entities, for look-ups; {@code position} is their {@link
 *       Position}
 *   <li>{@code exported_by_id}: the same entities, for reading all of them in the order of their
 *       ids
 *   <li>{@code present}: the current entities
 *   <li>{@code edge}: the references; {@code is_local} is true if the target is in this repository
 *   <li>{@code inbound}: the references, for look-ups by target; for HEAD those of current
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

  /** The current state of the repository. */
  static ExportQuery ofHead(Database database, UUID repoId) {
    return new ExportQuery(database, repoId, Source.HEAD, Source.HEAD, "head");
  }

  /** The state of the repository at a moment. */
  static ExportQuery of(Database database, Moment moment) {
    return new ExportQuery(database, moment.repoId(), moment.byId(), moment.byName(), "true");
  }

  /**
   * Runs a query.
   *
   * @param sql a {@code select}, or a comma and further tables before one
   * @param fetchSize the number of rows that are fetched at a time
   */
  void each(String sql, int fetchSize, Database.RowConsumer consumer, Object... more) {
    var all = Stream.concat(parameters.stream(), Stream.of(more)).toArray();
    database.each(tables + sql, fetchSize, consumer, all);
  }
}

package dev.cairn.export;

import dev.cairn.content.CollectionShapes;
import dev.cairn.content.Moment;
import dev.cairn.content.read.RepositoryTables;
import dev.cairn.platform.database.Database;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Queries the content of an export: HEAD, or a repository in its state at a moment. A query may use
 * the tables of {@link RepositoryTables}, in which an entity has its {@link Position}.
 */
final class ExportQuery {
  private static final String POSITION =
      """
      ((case when x.kind = 'shape' then 0 when x.kind = 'assertion' then 3
             when x.shape_id in (%s) then 2 else 1 end)::bigint << %d) + x.id"""
          .formatted(CollectionShapes.IDS, Position.ID_BITS);

  private final Database database;
  private final RepositoryTables tables;

  private ExportQuery(Database database, RepositoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  /** The current state of the repository. */
  static ExportQuery ofHead(Database database, UUID repoId) {
    return new ExportQuery(database, RepositoryTables.ofHead(repoId, POSITION));
  }

  /** The state of the repository at a moment. */
  static ExportQuery of(Database database, Moment moment) {
    return new ExportQuery(database, RepositoryTables.of(moment, POSITION));
  }

  /**
   * Runs a query.
   *
   * @param sql a {@code select}, or a comma and further tables before one
   * @param fetchSize the number of rows that are fetched at a time
   */
  void each(String sql, int fetchSize, Database.RowConsumer consumer, Object... more) {
    var all = Stream.concat(tables.parameters().stream(), Stream.of(more)).toArray();
    database.each(tables.sql() + sql, fetchSize, consumer, all);
  }
}

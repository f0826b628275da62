package dev.cairn.content.write;

import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Has the tables of content analyzed when they begin to fill. For a table that seems to have a few
 * rows, one index looks like another, and a connection keeps the plan that it made then until the
 * table is analyzed. Autovacuum does that up to a minute later, and a first load takes less: until
 * then a look-up of an id read all entities of the repository. See {@code
 * docs/decisions/0008-plans.md}.
 */
@ApplicationScoped
public class TableStatistics {
  /** How many rows are written between two looks at the planner's estimates. */
  public static final int ROWS = 1_000;

  /** The size of a table with about as many of the shortest rows. */
  private static final int MIN_BYTES = 64 * 1024;

  /**
   * Tables that have grown from a few rows since they were analyzed; not those that keep few rows,
   * of which there are many dead ones.
   */
  private static final String TABLES_TO_ANALYZE =
      """
      select relname from pg_class
      where oid = any (array['entity', 'entity_version', 'reference']::regclass[])
        and reltuples < %d and pg_relation_size(oid) >= %d
        and pg_relation_size(oid) >= 4 * relpages * current_setting('block_size')::bigint
      """
          .formatted(ROWS, MIN_BYTES);

  // Its statements are not among those of the hot paths: a commit of one operation sends none.
  private final Database database;
  private final AtomicLong written = new AtomicLong();

  TableStatistics(Database database) {
    this.database = database.inBackground();
  }

  /**
   * Counts rows that the surrounding transaction has written, and has it analyze the tables that
   * the planner takes for nearly empty. A table that is just being analyzed is left out; others are
   * not analyzed or vacuumed elsewhere until the transaction ends.
   */
  public void wrote(int rows) {
    if (written.addAndGet(rows) < ROWS) {
      return;
    }
    written.set(0);
    var unknown = database.list(TABLES_TO_ANALYZE, row -> row.getString(1));
    if (!unknown.isEmpty()) {
      database.update("analyze (skip_locked) " + String.join(", ", unknown));
    }
  }
}

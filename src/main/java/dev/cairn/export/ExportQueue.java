package dev.cairn.export;

import dev.cairn.platform.Database;
import dev.cairn.work.CountedQueue;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * How many exports wait to be built, and how many are; {@code docs/monitoring.md}, Queues. Between
 * two attempts at one it counts as being built.
 */
@Singleton
class ExportQueue implements CountedQueue {
  static final String COUNTS =
      """
      select count(*) filter (where due_at <= now()), count(*) filter (where due_at > now()),
             greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::double precision
      from (select due_at from export_job where state = 'pending' order by due_at limit %d) j
      """
          .formatted(MAX_COUNTED);

  private final Database database;

  ExportQueue(Database database) {
    this.database = database;
  }

  @Override
  public List<Count> counts() {
    return database
        .first(
            COUNTS,
            row ->
                List.of(
                    new Count("exports", "due", row.getLong(1), row.getDouble(3)),
                    new Count("exports", "running", row.getLong(2), 0)))
        .orElseThrow();
  }
}

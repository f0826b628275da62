package dev.cairn.action;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;

/** Removes runs that ended long ago; {@code docs/actions.md}, Runs. */
@Singleton
class Retention implements Chore, RowsOfRepositories {
  private static final int MAX_PURGED_RUNS = 1000;

  /** About how many bytes the texts of an attempt may have. */
  private static final int ATTEMPT = 64 * 1024;

  // They are chosen and locked first, and removed by their ctid: otherwise the planner may choose
  // them again for each run, or read all runs to find them. A notification may belong to two of
  // them: to the run that ended, and to the one that called the notification URL.
  static final String PURGE =
      """
      with old as materialized (
        select tableoid as place, ctid as row, repo_id, id from action_run
        where ended_at < now() - make_interval(secs => ?)
        order by ended_at limit ?
        for update skip locked),
      texts as (
        select a.repo_id, a.bytes from old o cross join lateral (
          select x.repo_id, octet_length(concat(x.message, x.error_message, x.output)) as bytes
          from action_attempt x where x.repo_id = o.repo_id and x.run_id = o.id offset 0) a
        union all
        select repo_id, bytes from (
          select n.* from old o cross join lateral (
            select x.repo_id, x.id, coalesce(octet_length(x.error_message), 0) as bytes
            from action_notification x
            where x.repo_id = o.repo_id and x.run_id = o.id offset 0) n
          union
          select n.* from old o cross join lateral (
            select x.repo_id, x.id, coalesce(octet_length(x.error_message), 0) as bytes
            from action_notification x
            where x.repo_id = o.repo_id and x.dispatch_id = o.id offset 0) n) told),
      counted as (
        insert into stored_bytes_change (repo_id, bytes)
        select repo_id, -sum(bytes)::bigint from texts
        group by repo_id having sum(bytes) <> 0)
      delete from action_run r
      using old o
      where r.ctid = o.row and r.tableoid = o.place
      returning r.source_repo_id, r.source_seq, r.repo_id, %s
      """
          .formatted(Outbox.RUN_BYTES);

  private final Database database;
  private final Duration kept;

  private record Commit(UUID repoId, long seq) {}

  Retention(Database database, CairnConfig config) {
    this.database = database;
    this.kept = config.run().retention();
  }

  @Override
  public String name() {
    return "runs";
  }

  /** The attempts and notifications of runs are deleted with them by foreign keys. */
  @Override
  public List<Rows> rowsOfRepositories() {
    return List.of(
        new Rows("action_run", "pg_column_size(envelope) + %d * attempt_count".formatted(ATTEMPT)),
        Rows.with("matched_operation", "body"));
  }

  /** With their attempts, operations that no run needs any more, and targets long quiet. */
  @Override
  public boolean runBatch() {
    boolean more = database.transaction(this::purgeBatch) == MAX_PURGED_RUNS;
    if (!more) {
      database.update("delete from delivery_target where updated_at < now() - interval '1 day'");
    }
    return more;
  }

  private int purgeBatch() {
    var freed = new HashMap<UUID, Long>();
    var commits =
        database
            .inIndexOrder()
            .list(
                PURGE,
                row -> {
                  freed.merge(row.getObject(3, UUID.class), -row.getLong(4), Long::sum);
                  return new Commit(row.getObject(1, UUID.class), row.getLong(2));
                },
                kept.toSeconds(),
                MAX_PURGED_RUNS);
    var distinct = commits.stream().filter(c -> c.repoId() != null).distinct().toList();
    database.each(
        """
        delete from matched_operation m
        using (
          select x.repo_id, x.seq, x.op_index
          from unnest(?, ?) as n (repo_id, seq)
          cross join lateral (
            select y.repo_id, y.seq, y.op_index from matched_operation y
            where y.repo_id = n.repo_id and y.seq = n.seq offset 0) x
          where not exists (
            select from action_run r
            where r.source_repo_id = n.repo_id and r.source_seq = n.seq)) o
        where m.repo_id = o.repo_id and m.seq = o.seq and m.op_index = o.op_index
        returning m.repo_id, %d + octet_length(m.body)
        """
            .formatted(StoredBytes.ROW),
        0,
        row -> {
          freed.merge(row.getObject(1, UUID.class), -row.getLong(2), Long::sum);
          return true;
        },
        Columns.uuids(distinct, Commit::repoId),
        Columns.longs(distinct, Commit::seq));
    StoredBytes.count(database, freed);
    return commits.size();
  }
}

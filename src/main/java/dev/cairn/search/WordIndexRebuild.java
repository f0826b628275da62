package dev.cairn.search;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Rebuilds the index on words when most of it is words that no document has any more: PostgreSQL
 * keeps the place of every word for ever, so an account that adds and deletes random words could
 * fill the disk, whatever the quotas say. The rules are in {@code docs/search.md}, Size of words.
 */
@ApplicationScoped
class WordIndexRebuild {
  private static final Logger LOG = Logger.getLogger(WordIndexRebuild.class);

  private static final String INDEX = "search_document_words";

  /** A smaller index stays as it is. */
  private static final long MIN_BYTES = 256L * 1024 * 1024;

  private static final int MAX_TIMES_TABLE = 4;

  /**
   * Most content has an index that is smaller than the table. For some it is up to about eleven
   * times as large, so the index must also have grown to twice of what the last rebuild has left.
   * Rebuilds take at most a tenth of the time; so do those that fail.
   */
  private static final String IS_TOO_LARGE =
      """
      select size > greatest(?, ? * pg_table_size('search_document')) and not exists (
        select from word_index_rebuild r
        where size < 2 * r.bytes or r.ended_at + 10 * (r.ended_at - r.began_at) > now()
          or (r.ended_at is null and r.began_at > now() - interval '6 hours'))
      from pg_relation_size('%s') size
      """
          .formatted(INDEX);

  /** What an interrupted rebuild has left. */
  private static final String REMAINS =
      """
      select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'search_document'::regclass and not i.indisvalid
        and c.relname ~ '^%s_cc(new|old)[0-9]*$'
      limit 1
      """
          .formatted(INDEX);

  private static final String REINDEX = "reindex index concurrently " + INDEX;

  private final Database database;
  private final boolean isWorker;

  WordIndexRebuild(Database database, CairnConfig config) {
    this.database = database;
    this.isWorker = config.roles().contains(CairnConfig.Role.WORKER);
  }

  @Scheduled(every = "10m", delayed = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void rebuildOnSchedule() {
    if (isWorker) {
      rebuild(MIN_BYTES, MAX_TIMES_TABLE);
    }
  }

  /**
   * Rebuilds the index if it is too large, unless another replica does so.
   *
   * @param minBytes a smaller index stays as it is
   * @param maxTimesTable so does one that is up to this many times as large as its table
   */
  void rebuild(long minBytes, int maxTimesTable) {
    while (database.maintain(INDEX, this::removal)) {
      LOG.info("what an interrupted rebuild of the index on words has left was dropped");
    }
    try {
      if (database.maintain(INDEX, () -> rebuildIfTooLarge(minBytes, maxTimesTable))) {
        database.update(
            "update word_index_rebuild set ended_at = now(), bytes = pg_relation_size('%s')"
                .formatted(INDEX));
        LOG.info("the index on words was rebuilt");
      }
    } catch (DatabaseException e) {
      LOG.error("the index on words cannot be rebuilt; tried again later", e);
      database.update("update word_index_rebuild set ended_at = now() where ended_at is null");
    }
  }

  /** Records that the rebuild begins, while no other replica can begin one. */
  private Optional<String> rebuildIfTooLarge(long minBytes, int maxTimesTable) {
    if (!isTooLarge(minBytes, maxTimesTable)) {
      return Optional.empty();
    }
    if (database.update("update word_index_rebuild set began_at = now(), ended_at = null") == 0) {
      database.update("insert into word_index_rebuild (began_at) values (now())");
    }
    return Optional.of(REINDEX);
  }

  private Optional<String> removal() {
    return database.first(REMAINS, row -> "drop index concurrently if exists " + row.getString(1));
  }

  private boolean isTooLarge(long minBytes, int maxTimesTable) {
    return database
        .first(IS_TOO_LARGE, row -> row.getBoolean(1), minBytes, maxTimesTable)
        .orElseThrow();
  }
}

package dev.cairn.search;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * The indexes of pgvector on the signatures of large repositories, by which a search finds the
 * nearest signatures without a scan of all. Each is on those of one repository, so that what others
 * store changes neither what a search finds nor how long it takes. Where the extension is missing,
 * there are none. The rules are in {@code docs/search.md}, Large repositories.
 */
@ApplicationScoped
class SignatureIndexes {
  private static final Logger LOG = Logger.getLogger(SignatureIndexes.class);

  private static final String PREFIX = "search_vector_near_";

  /** The operator on bits, and searches that go on until they have enough, are of version 0.8. */
  private static final String IS_INSTALLED =
      """
      select to_regoperator('<~>(bit,bit)') is not null and exists (
        select from pg_extension
        where extname = 'vector'
          and string_to_array(substring(extversion from '^[0-9]+[.][0-9]+'), '.')::int[] >= '{0,8}')
      """;

  private static final String EXISTING =
      """
      select substring(c.relname from 20)::uuid, i.indisvalid
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'search_vector'::regclass and starts_with(c.relname, '%s')
      """
          .formatted(PREFIX);

  /** An index remains until its repository has half as many entities as it takes to get one. */
  private static final String LARGE =
      """
      select c.repo_id, sum(c.count) >= ? as is_large
      from entity_count c
      join search_index s on s.repo_id = c.repo_id and s.part = 'vectors' and s.form <> ''
      where c.active
      group by c.repo_id having sum(c.count) >= ? / 2
      """;

  /** Data definition takes no parameters; a UUID has nothing that would have to be quoted. */
  private static final String CREATE =
      """
      create index concurrently %s%s on search_vector using hnsw (signature bit_hamming_ops)
      where repo_id = '%s'
      """;

  private static final String DROP = "drop index concurrently if exists %s%s";

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofHours(1);

  private final Database database;
  private final int from;
  private final boolean isWorker;

  private volatile Set<UUID> complete = Set.of();

  private volatile Instant pausedUntil = Instant.MIN;

  SignatureIndexes(Database database, CairnConfig config) {
    this.database = database;
    this.from = config.search().vectorIndexFrom();
    this.isWorker = config.roles().contains(CairnConfig.Role.WORKER);
  }

  /** Whether the signatures of a repository have an index that is complete. */
  boolean isFor(UUID repoId) {
    return complete.contains(repoId);
  }

  /** Looks which indexes there are; workers create and drop what they should be. */
  @Scheduled(every = "1m", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void refresh() {
    var existing = existing();
    if (isWorker && Instant.now().isAfter(pausedUntil)) {
      try {
        maintain(existing);
      } catch (DatabaseException e) {
        pausedUntil = Instant.now().plus(PAUSE_AFTER_FAILURE);
        LOG.errorf(e, "the indexes on vectors cannot be maintained; tried again in an hour");
      }
    }
  }

  private Map<UUID, Boolean> existing() {
    var existing = new HashMap<UUID, Boolean>();
    database.each(
        EXISTING,
        0,
        row -> {
          existing.put(row.getObject(1, UUID.class), row.getBoolean(2));
          return true;
        });
    complete =
        existing.keySet().stream().filter(existing::get).collect(Collectors.toUnmodifiableSet());
    return existing;
  }

  private void maintain(Map<UUID, Boolean> existing) {
    var large = large();
    for (var repoId : existing.keySet()) {
      // An invalid one is left of a creation that was interrupted, or that is under way elsewhere:
      // then its lock is taken.
      if (!large.containsKey(repoId) || !existing.get(repoId)) {
        run(DROP.formatted(PREFIX, hex(repoId)), "dropped", repoId);
      }
    }
    for (var repoId : large.keySet()) {
      if (large.get(repoId) && !existing.getOrDefault(repoId, false)) {
        run(CREATE.formatted(PREFIX, hex(repoId), repoId), "created", repoId);
      }
    }
  }

  /** By repository, whether it should have an index; it may keep one otherwise. */
  private Map<UUID, Boolean> large() {
    var large = new HashMap<UUID, Boolean>();
    if (from > 0 && database.first(IS_INSTALLED, row -> row.getBoolean(1)).orElseThrow()) {
      database.each(
          LARGE,
          0,
          row -> {
            large.put(row.getObject("repo_id", UUID.class), row.getBoolean("is_large"));
            return true;
          },
          from,
          from);
    }
    return large;
  }

  private void run(String sql, String what, UUID repoId) {
    long begun = System.nanoTime();
    if (database.maintain(PREFIX, sql)) {
      existing();
      LOG.infof(
          "index on the vectors of repository %s %s in %d s",
          repoId, what, Duration.ofNanos(System.nanoTime() - begun).toSeconds());
    }
  }

  private static String hex(UUID repoId) {
    return repoId.toString().replace("-", "");
  }
}

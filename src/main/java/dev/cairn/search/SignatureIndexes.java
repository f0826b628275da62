package dev.cairn.search;

import dev.cairn.content.KeptCounts;
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
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
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

  /** The id of the repository follows, without hyphens. */
  private static final String PREFIX = "search_vector_near_";

  /**
   * The operator on bits, and searches that continue until they have enough, are of version 0.8.
   */
  private static final String IS_INSTALLED =
      """
      select to_regoperator('<~>(bit,bit)') is not null and exists (
        select from pg_extension
        where extname = 'vector'
          and string_to_array(substring(extversion from '^[0-9]+[.][0-9]+'), '.')::int[] >= '{0,8}')
      """;

  private static final String EXISTING =
      """
      select right(c.relname, 32)::uuid, i.indisvalid
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'search_vector'::regclass and c.relname ~ '^%s[0-9a-f]{32}$'
      """
          .formatted(PREFIX);

  private static final String WITH_VECTORS =
      "select repo_id from search_index where part = 'vectors' and form <> ''";

  /** Data definition takes no parameters; a UUID has nothing that would have to be quoted. */
  private static final String CREATE =
      """
      create index concurrently %s%s on search_vector using hnsw (signature bit_hamming_ops)
      where repo_id = '%s'
      """;

  private static final String DROP = "drop index concurrently if exists %s%s";

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofHours(1);

  private final Database database;
  private final KeptCounts counts;
  private final int from;
  private final boolean isWorker;

  private volatile Set<UUID> complete = Set.of();

  /** Until when nothing is tried again for a repository, after a failure. */
  private final Map<UUID, Instant> paused = new HashMap<>();

  /** The repository whose index is being created or dropped; null until that is decided. */
  private UUID current;

  SignatureIndexes(Database database, KeptCounts counts, CairnConfig config) {
    this.database = database;
    this.counts = counts;
    this.from = config.search().vectorIndexFrom();
    this.isWorker = config.roles().contains(CairnConfig.Role.WORKER);
  }

  /** Whether the signatures of a repository have an index that is complete. */
  boolean isFor(UUID repoId) {
    return complete.contains(repoId);
  }

  /** Finds the indexes that exist; a worker also creates and drops what is needed. */
  @Scheduled(every = "1m", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void refresh() {
    boolean more = isWorker;
    while (more) {
      more = maintain();
    }
    lookUp();
  }

  /** Creates or drops one index, unless another replica does so; returns whether it tried. */
  private boolean maintain() {
    long begun = System.nanoTime();
    current = null;
    try {
      boolean isDone = database.maintain(PREFIX, this::next);
      if (isDone) {
        LOG.infof(
            "the index on the vectors of repository %s was created or dropped in %d s",
            current, Duration.ofNanos(System.nanoTime() - begun).toSeconds());
      }
      return isDone;
    } catch (DatabaseException e) {
      if (current == null) {
        throw e; // It is not an index that fails, but the database.
      }
      paused.put(current, Instant.now().plus(PAUSE_AFTER_FAILURE));
      LOG.errorf(
          e,
          "the index on the vectors of repository %s cannot be created or dropped; tried again in an"
              + " hour",
          current);
      return true;
    }
  }

  /** Finds the indexes, by repository, and whether each is complete. */
  private Map<UUID, Boolean> lookUp() {
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

  /** The next statement; an index that is not complete is what an interrupted creation left. */
  private Optional<String> next() {
    var existing = lookUp();
    var large = large();
    return first(existing, id -> !large.containsKey(id) || !existing.get(id))
        .map(id -> DROP.formatted(PREFIX, hex(id)))
        .or(
            () ->
                first(large, id -> large.get(id) && !existing.containsKey(id))
                    .map(id -> CREATE.formatted(PREFIX, hex(id), id)));
  }

  private Optional<UUID> first(Map<UUID, Boolean> repositories, Predicate<UUID> needed) {
    var found = repositories.keySet().stream().filter(needed).filter(this::isDue).findFirst();
    found.ifPresent(id -> current = id);
    return found;
  }

  private boolean isDue(UUID repoId) {
    return Instant.now().isAfter(paused.getOrDefault(repoId, Instant.MIN));
  }

  /**
   * By repository, whether it should have an index. Those with half as many entities as that takes
   * may keep one.
   */
  private Map<UUID, Boolean> large() {
    var large = new HashMap<UUID, Boolean>();
    if (from > 0 && database.first(IS_INSTALLED, row -> row.getBoolean(1)).orElseThrow()) {
      var counted = counts.large(from / 2);
      database
          .list(WITH_VECTORS, row -> row.getObject(1, UUID.class))
          .forEach(
              id -> {
                if (counted.containsKey(id)) {
                  large.put(id, counted.get(id) >= from);
                }
              });
    }
    return large;
  }

  private static String hex(UUID repoId) {
    return repoId.toString().replace("-", "");
  }
}

package dev.cairn.access.limit;

import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes that an organization stores. Code that writes rows counts them in the same
 * transaction; the function {@code stored_bytes_of} of the database counts them again, with the
 * same constants. A replica remembers an organization's sum for five seconds, together with what
 * its own commits add, and reads the database again before it refuses anything. See {@code
 * docs/limits.md}, Quotas.
 */
@ApplicationScoped
public class StoredBytes {
  /** Bytes of a row besides its text. */
  public static final int ROW = 512;

  /** Bytes of a reference besides its pointer, its index entries included. */
  public static final int REFERENCE = 256;

  /** Bytes of a rename, which has both names. */
  public static final int RENAME = 1_024;

  /**
   * Bytes of a run besides its texts, with the rows of its attempts and notifications; as many
   * again each time that it is retried by hand.
   */
  public static final int RUN = 4_096;

  /** Bytes of a subscription besides its configuration. */
  public static final int SUBSCRIPTION = 1_024;

  /** About how many bytes the built-in shapes of a new repository take. */
  public static final int NEW_REPOSITORY = 16 * 1_024;

  private static final long REMEMBERED_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int MAX_REMEMBERED = 10_000;

  /** SQL for the organization and the bytes of each repository, without changes not folded yet. */
  static final String OF_REPOSITORIES =
      """
      select r.org_id, h.stored_bytes + r.other_bytes as bytes
      from repository r join repository_head h on h.repo_id = r.id
      """;

  /**
   * Selects the bytes that the organization stores whose id is {@code o.id} in the query around it.
   * Exports, credential sets, components and subscriptions are few or short, and are measured each
   * time.
   */
  public static final String OF_ORGANIZATION =
      """
      select (select coalesce(sum(b.bytes), 0) from (%s) b where b.org_id = o.id)
           + (select coalesce(sum(c.bytes), 0)
              from repository r join stored_bytes_change c on c.repo_id = r.id
              where r.org_id = o.id)
           + (select coalesce(sum(d.bytes), 0)
              from deleted_repository d where d.org_id = o.id and d.bytes > 0)
           + (select coalesce(sum(j.stored_bytes), 0)
              from repository r join export_job j on j.repo_id = r.id
              where r.org_id = o.id)
           + (select coalesce(sum(512 + octet_length(k.sealed)), 0)
              from credential_set c join credential_key k on k.set_id = c.id
              where c.org_id = o.id)
           + (select coalesce(sum(512 + octet_length(v.manifest)), 0)
              from component c join component_version v on v.component_id = c.id
              where c.org_id = o.id)
           + (select coalesce(sum(1024 + coalesce(octet_length(s.filter), 0)
                               + coalesce(octet_length(s.sprite_config), 0)
                               + coalesce(octet_length(s.token_scopes), 0)), 0)
              from repository r join subscription s on s.repo_id = r.id
              where r.org_id = o.id)
      """
          .formatted(OF_REPOSITORIES);

  private final Database database;
  private final Quotas quotas;
  private final ConcurrentHashMap<UUID, Sum> remembered = new ConcurrentHashMap<>();

  private record Sum(AtomicLong bytes, long readAt) {
    boolean isFresh() {
      return System.nanoTime() - readAt < REMEMBERED_NANOS;
    }
  }

  StoredBytes(Database database, Quotas quotas) {
    this.database = database;
    this.quotas = quotas;
  }

  /** What an organization stores at this moment. */
  public long used(UUID orgId) {
    return database
        .first(
            "select (%s) from (select ?::uuid as id) o".formatted(OF_ORGANIZATION),
            row -> row.getLong(1),
            orgId)
        .orElseThrow();
  }

  /**
   * What a repository stores, besides exports, credential sets and subscriptions.
   *
   * @throws Problem {@code NOT_FOUND} if it was just deleted
   */
  public long ofRepository(UUID repoId) {
    return database
        .first(
            """
            select h.stored_bytes + r.other_bytes
                 + (select coalesce(sum(c.bytes), 0) from stored_bytes_change c where c.repo_id = r.id)
            from repository r join repository_head h on h.repo_id = r.id
            where r.id = ?
            """,
            row -> row.getLong(1),
            repoId)
        .orElseThrow(() -> Problem.notFound("The repository was just deleted."));
  }

  /**
   * Refuses to store more than the quota of the organization allows. How much is stored is not
   * told: some of it may be in what the caller may not see.
   *
   * @param more about how many bytes, at least 1
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if that many more are beyond the quota
   */
  public void requireRoom(UUID orgId, long more) {
    if (!quotas.isOn(Quota.BYTES) || knownToFit(orgId, more)) {
      return;
    }
    long used = used(orgId);
    remember(orgId, used);
    if (used + more > quotas.limit(Quota.BYTES)) {
      throw quotas
          .refusal(Quota.BYTES, ErrorCode.PAYLOAD_TOO_LARGE)
          .hint("Delete repositories that are not needed, or ask the operator for more room.");
    }
  }

  /**
   * Makes room for what the surrounding transaction is about to store: {@link #requireRoom}, and
   * {@link #addAfterCommit}.
   *
   * @param more about how many bytes; nothing happens if it stores less than before, or the same
   * @throws Problem {@code PAYLOAD_TOO_LARGE}
   */
  public void reserve(UUID orgId, long more) {
    if (more > 0) {
      requireRoom(orgId, more);
      addAfterCommit(orgId, more);
    }
  }

  private boolean knownToFit(UUID orgId, long more) {
    var known = remembered.get(orgId);
    return known != null
        && known.isFresh()
        && known.bytes().get() + more <= quotas.limit(Quota.BYTES);
  }

  private void remember(UUID orgId, long used) {
    if (remembered.size() >= MAX_REMEMBERED) {
      remembered.clear();
    }
    remembered.put(orgId, new Sum(new AtomicLong(used), System.nanoTime()));
  }

  /** Adds what the surrounding transaction stores to the remembered sum, once it is committed. */
  public void addAfterCommit(UUID orgId, long bytes) {
    if (quotas.isOn(Quota.BYTES)) {
      database.afterCommit(
          () -> {
            var known = remembered.get(orgId);
            if (known != null) {
              known.bytes().addAndGet(bytes);
            }
          });
    }
  }

  /**
   * SQL that adds to the stored bytes of a repository, in a transaction that has locked its head.
   * The last parameter is the id of the repository.
   *
   * @param bytes SQL for how much more the repository stores
   */
  public static String addToHead(String bytes) {
    return "update repository_head h set stored_bytes = stored_bytes + %s where h.repo_id = ?"
        .formatted(bytes);
  }

  /**
   * Counts what was written or deleted other than by a commit in its own repository, as part of the
   * surrounding transaction. It only inserts rows, so it never waits for a lock; {@link
   * StoredBytesFolding} sums them up.
   *
   * @param bytes how much more each repository stores; negative for less
   */
  public static void count(Database database, Map<UUID, Long> bytes) {
    if (bytes.isEmpty()) {
      return;
    }
    database.update(
        "insert into stored_bytes_change (repo_id, bytes) select * from unnest(?, ?)",
        Columns.uuids(bytes.entrySet(), Map.Entry::getKey),
        Columns.longs(bytes.entrySet(), Map.Entry::getValue));
  }
}

package dev.cairn.export;

import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/**
 * Bounds the bytes of stored exports: of all of them, and of those of one organization or one
 * account, which must leave as much free as they have. So a few accounts cannot use all that there
 * is for all others.
 */
@ApplicationScoped
class ExportBytes {
  private static final String USAGES =
      """
      select n.quota, n.bytes, n.seconds
      from (
        select 1 as place, 'EXPORT_BYTES' as quota, %1$s
        from export_job j where j.stored_bytes > 0
        union all
        select 2, 'EXPORT_SHARE', %1$s
        from repository h
        join repository r on r.org_id = h.org_id
        join export_job j on j.repo_id = r.id
        where h.id = ? and j.stored_bytes > 0
        union all
        select 3, 'EXPORT_SHARE', %1$s
        from export_job j where j.account_id = ? and j.stored_bytes > 0) n
      order by n.place
      """
          .formatted(
              """
              coalesce(sum(j.stored_bytes), 0)::bigint as bytes,
              coalesce(ceil(extract(epoch from min(j.expires_at) - now())), 0)::bigint as seconds\
              """);

  private final Database database;
  private final Quotas quotas;

  /**
   * The usage of a quota.
   *
   * @param max how many bytes there may be at this moment
   * @param secondsToFirstExpiry the seconds until the first of these exports expires
   */
  record Usage(Quota quota, long bytes, long max, long secondsToFirstExpiry) {}

  private record Stored(Quota quota, long bytes, long secondsToFirstExpiry) {}

  /** A quota leaves no room for an export that is being built. */
  static final class FullException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Quota quota;

    FullException(Quota quota) {
      super(null, null, false, false);
      this.quota = quota;
    }

    Quota quota() {
      return quota;
    }
  }

  ExportBytes(Database database, Quotas quotas) {
    this.database = database;
    this.quotas = quotas;
  }

  /**
   * The usages that apply to an export: of all exports, of its organization and of its account,
   * without those of quotas that are off.
   *
   * @param accountId the account that requested it; null if unknown
   */
  List<Usage> usages(UUID repoId, UUID accountId) {
    var stored =
        database.list(
            USAGES,
            row -> new Stored(Quota.valueOf(row.getString(1)), row.getLong(2), row.getLong(3)),
            repoId,
            accountId);
    long all = stored.getFirst().bytes();
    return stored.stream()
        .filter(each -> quotas.isOn(each.quota()))
        .map(
            each ->
                new Usage(each.quota(), each.bytes(), max(each, all), each.secondsToFirstExpiry()))
        .toList();
  }

  /** Half of what others leave is as much as then stays free. */
  private long max(Stored stored, long all) {
    long limit = quotas.limit(stored.quota());
    if (stored.quota() == Quota.EXPORT_BYTES || !quotas.isOn(Quota.EXPORT_BYTES)) {
      return limit;
    }
    long others = all - stored.bytes();
    return Math.clamp((quotas.limit(Quota.EXPORT_BYTES) - others) / 2, 0, limit);
  }

  /**
   * Requires room for a part of an export that is being built.
   *
   * @param more the bytes of the part, which are not stored yet
   * @throws FullException if a quota leaves no room
   */
  void requireRoom(UUID repoId, UUID accountId, long more) {
    for (var usage : usages(repoId, accountId)) {
      if (usage.bytes() + more > usage.max()) {
        throw new FullException(usage.quota());
      }
    }
  }
}

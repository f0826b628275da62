package dev.cairn.export;

import dev.cairn.access.Quotas;
import dev.cairn.access.Quotas.Quota;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/**
 * Bounds the bytes of the exports that are kept: of all of them, and of the share that one
 * organization, or one account, has of them.
 */
@ApplicationScoped
class ExportBytes {
  private static final String SUMS =
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
   * What counts towards a quota.
   *
   * @param secondsToFirstExpiry until the first of these exports makes room
   */
  record Sum(Quota quota, long bytes, long secondsToFirstExpiry) {}

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
   * The sums that count for an export: of all, of its organization, of its account.
   *
   * @param accountId the account that requested it; null if unknown
   */
  List<Sum> sums(UUID repoId, UUID accountId) {
    return database.list(
        SUMS,
        row -> new Sum(Quota.valueOf(row.getString(1)), row.getLong(2), row.getLong(3)),
        repoId,
        accountId);
  }

  /**
   * Makes sure that there is room for a part of an export that is being built.
   *
   * @param more how many bytes, which are not stored yet
   * @throws FullException if there is none
   */
  void requireRoom(UUID repoId, UUID accountId, long more) {
    for (var sum : sums(repoId, accountId)) {
      if (quotas.isExceeded(sum.quota(), sum.bytes() + more)) {
        throw new FullException(sum.quota());
      }
    }
  }
}

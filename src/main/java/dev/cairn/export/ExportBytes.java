package dev.cairn.export;

import dev.cairn.access.Role;
import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Bounds the bytes of stored exports: of all of them, and of those of one organization or one
 * account, which must leave as much free as they have. So a few accounts cannot use all that there
 * is for all others. Within an organization, exports of an account that keeps much give way to
 * those of an account that keeps less, so that no member keeps the others from exporting.
 */
@ApplicationScoped
class ExportBytes {
  /**
   * Exports of an organization that have expired no longer count for it, because they may have
   * given way to others of it. They count for their account, and for all, until they are deleted.
   */
  private static final String USAGES =
      """
      select n.scope, n.bytes, n.seconds
      from (
        select 'ALL' as scope, %1$s
        from export_job j where j.stored_bytes > 0
        union all
        select 'ORGANIZATION', %1$s
        from repository h
        join repository r on r.org_id = h.org_id
        join export_job j on j.repo_id = r.id
        where h.id = ? and j.stored_bytes > 0 and j.expires_at > now()
        union all
        select 'ACCOUNT', %1$s
        from export_job j where j.account_id = ? and j.stored_bytes > 0) n
      """
          .formatted(
              """
              coalesce(sum(j.stored_bytes), 0)::bigint as bytes,
              coalesce(ceil(extract(epoch from min(j.expires_at) - now())), 0)::bigint as seconds\
              """);

  private static final String[] ROLES =
      Arrays.stream(Role.values()).map(Role::wire).toArray(String[]::new);

  private final Database database;
  private final Quotas quotas;

  /** Whose exports are counted; the order is that of the checks. */
  private enum Scope {
    ALL(Quota.EXPORT_BYTES),
    ORGANIZATION(Quota.EXPORT_SHARE),
    ACCOUNT(Quota.EXPORT_SHARE);

    private final Quota quota;

    Scope(Quota quota) {
      this.quota = quota;
    }
  }

  /**
   * A usage that leaves no room.
   *
   * @param max how many bytes there may be at this moment
   * @param secondsToFirstExpiry the seconds until the first of these exports expires
   */
  record Full(Quota quota, long bytes, long max, long secondsToFirstExpiry) {}

  private record Stored(Scope scope, long bytes, long secondsToFirstExpiry) {}

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
   * Finds room for bytes that are not stored yet: in all exports, those of the organization, and
   * those of the account. If the organization has none, exports of others in it give way.
   *
   * @param accountId the account that requested the export; null if unknown
   * @return the first usage that leaves no room, even so
   */
  Optional<Full> findRoom(UUID repoId, UUID accountId, long more) {
    while (true) {
      var stored = stored(repoId, accountId);
      long all = stored.getFirst().bytes();
      var full =
          stored.stream()
              .filter(each -> quotas.isOn(each.scope().quota))
              .filter(each -> each.bytes() + more > max(each, all))
              .findFirst();
      if (full.filter(each -> each.scope() == Scope.ORGANIZATION).isEmpty()
          || !replacesOther(repoId, accountId)) {
        return full.map(
            each ->
                new Full(
                    each.scope().quota, each.bytes(), max(each, all), each.secondsToFirstExpiry()));
      }
    }
  }

  private List<Stored> stored(UUID repoId, UUID accountId) {
    return database
        .list(
            USAGES,
            row -> new Stored(Scope.valueOf(row.getString(1)), row.getLong(2), row.getLong(3)),
            repoId,
            accountId)
        .stream()
        .sorted(Comparator.comparing(Stored::scope))
        .toList();
  }

  /** Half of what others leave is as much as then stays free. */
  private long max(Stored stored, long all) {
    long limit = quotas.limit(stored.scope().quota);
    if (stored.scope() == Scope.ALL || !quotas.isOn(Quota.EXPORT_BYTES)) {
      return limit;
    }
    long others = all - stored.bytes();
    return Math.clamp((quotas.limit(Quota.EXPORT_BYTES) - others) / 2, 0, limit);
  }

  /**
   * Lets an export of another account in the organization expire: of one that has no role anymore
   * (one that is being built only for an account with a role: two without could wait for each
   * other), or otherwise the oldest of the account that keeps the most bytes, of those with a lower
   * role than the requesting one, and those with the same role that keep more. If that is being
   * built, it is given up.
   *
   * @return whether there was one
   */
  private boolean replacesOther(UUID repoId, UUID accountId) {
    return database.update(
            """
            update export_job e
            set expires_at = now(), state = case state when 'pending' then 'failed' else state end
            from (
              with stored as (
                select j.repo_id, j.id, j.account_id, j.created_at, j.state,
                       m.role is null as has_left, array_position(?, m.role) as rank,
                       sum(j.stored_bytes) over (partition by j.account_id) as kept
                from repository h
                join repository r on r.org_id = h.org_id
                join export_job j on j.repo_id = r.id
                left join member m on m.org_id = h.org_id and m.account_id = j.account_id
                where h.id = ? and j.stored_bytes > 0 and j.expires_at > now()),
              requesting as (
                select array_position(?, m.role) as rank,
                       coalesce((select max(o.kept) from stored o where o.account_id = ?), 0) as kept
                from repository h
                left join member m on m.org_id = h.org_id and m.account_id = ?
                where h.id = ?)
              select s.repo_id, s.id
              from stored s cross join requesting q
              where s.account_id is distinct from ?
                and ((s.has_left and (s.state <> 'pending' or q.rank is not null))
                     or s.rank < q.rank
                     or (s.rank = q.rank and s.kept > q.kept))
              order by s.has_left desc, s.kept desc, s.created_at
              limit 1) v
            where e.repo_id = v.repo_id and e.id = v.id
            """,
            ROLES,
            repoId,
            ROLES,
            accountId,
            accountId,
            repoId,
            accountId)
        > 0;
  }

  /**
   * Requires room for a part of an export that is being built.
   *
   * @param more the bytes of the part, which are not stored yet
   * @throws FullException if a quota leaves no room
   */
  void requireRoom(UUID repoId, UUID accountId, long more) {
    findRoom(repoId, accountId, more)
        .ifPresent(
            full -> {
              throw new FullException(full.quota());
            });
  }
}

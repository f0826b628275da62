package dev.cairn.tenant;

import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.access.limit.Quotas.Usage;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** Counts what an organization has, for its quotas. */
@ApplicationScoped
class UsageReads {
  private static final String REPOSITORIES = "select count(*) from repository where org_id = o.id";

  private static final String MEMBERS =
      """
      select (select count(*) from member where org_id = o.id)
           + (select count(*) from invitation where org_id = o.id)
      """;

  private static final String USAGE =
      """
      (%s) as repositories,
      (%s) as members,
      (select coalesce(max(c.used), 0)
       from (select count(*) as used
             from repository r join subscription s on s.repo_id = r.id
             where r.org_id = o.id
             group by r.id) c) as subscriptions,
      (select count(*) from component where org_id = o.id and deregistered_at is null) as components,
      (%s) as bytes,
      (select coalesce(max(c.used), 0)
       from (select count(*) as used
             from repository r join export_job j on j.repo_id = r.id
             where r.org_id = o.id and j.state <> 'failed' and j.expires_at > now()
             group by r.id) c) as exports,
      (select coalesce(sum(j.stored_bytes), 0)
       from repository r join export_job j on j.repo_id = r.id
       where r.org_id = o.id and j.stored_bytes > 0 and j.expires_at > now()) as export_bytes
      """
          .formatted(REPOSITORIES, MEMBERS, StoredBytes.OF_ORGANIZATION);

  private final Database database;
  private final Quotas quotas;
  private final StoredBytes bytes;

  UsageReads(Database database, Quotas quotas, StoredBytes bytes) {
    this.database = database;
    this.quotas = quotas;
    this.bytes = bytes;
  }

  OrganizationUsage of(UUID orgId) {
    return read(
        USAGE,
        row ->
            new OrganizationUsage(
                usage(Quota.REPOSITORIES, row, "repositories"),
                usage(Quota.MEMBERS, row, "members"),
                usage(Quota.SUBSCRIPTIONS, row, "subscriptions"),
                usage(Quota.COMPONENTS, row, "components"),
                usage(Quota.BYTES, row, "bytes"),
                usage(Quota.EXPORTS, row, "exports"),
                usage(Quota.EXPORT_SHARE, row, "export_bytes")),
        orgId);
  }

  private Usage usage(Quota quota, ResultSet row, String column) throws SQLException {
    return quotas.usage(quota, row.getLong(column));
  }

  /** Refuses one more repository; the organization's row is locked. */
  void refuseOneMoreRepository(UUID orgId) {
    refuseOneMore(Quota.REPOSITORIES, REPOSITORIES, orgId);
    bytes.requireRoom(orgId, StoredBytes.NEW_REPOSITORY);
  }

  /** Refuses one more member or invitation; the organization's row is locked. */
  void refuseOneMoreMember(UUID orgId) {
    refuseOneMore(Quota.MEMBERS, MEMBERS, orgId);
  }

  private void refuseOneMore(Quota quota, String used, UUID orgId) {
    if (quotas.isOn(quota)) {
      quotas.refuseOneMore(quota, read("(%s)".formatted(used), row -> row.getLong(1), orgId));
    }
  }

  private <T> T read(String columns, Database.RowMapper<T> mapper, UUID orgId) {
    var sql = "select %s from (select ?::uuid as id) o".formatted(columns);
    return database.first(sql, mapper, orgId).orElseThrow();
  }
}

package dev.cairn.tenant;

import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;

/** Counts what an organization has, for its quotas. */
@ApplicationScoped
class UsageReads {
  private final Database database;
  private final Quotas quotas;
  private final StoredBytes bytes;

  UsageReads(Database database, Quotas quotas, StoredBytes bytes) {
    this.database = database;
    this.quotas = quotas;
    this.bytes = bytes;
  }

  OrganizationUsage of(UUID orgId) {
    return new OrganizationUsage(
        quotas.usage(Quota.REPOSITORIES, repositories(orgId)),
        quotas.usage(Quota.MEMBERS, members(orgId)),
        quotas.usage(Quota.BYTES, bytes.used(orgId)));
  }

  /** Refuses one more repository; the organization's row is locked. */
  void refuseOneMoreRepository(UUID orgId) {
    if (quotas.isOn(Quota.REPOSITORIES)) {
      quotas.refuseOneMore(Quota.REPOSITORIES, repositories(orgId));
    }
    bytes.requireRoom(orgId, StoredBytes.NEW_REPOSITORY);
  }

  /** Refuses one more member or invitation; the organization's row is locked. */
  void refuseOneMoreMember(UUID orgId) {
    if (quotas.isOn(Quota.MEMBERS)) {
      quotas.refuseOneMore(Quota.MEMBERS, members(orgId));
    }
  }

  private long repositories(UUID orgId) {
    return count("select count(*) from repository where org_id = ?", orgId);
  }

  private long members(UUID orgId) {
    return count(
        """
        select (select count(*) from member where org_id = ?)
             + (select count(*) from invitation where org_id = ?)
        """,
        orgId,
        orgId);
  }

  private long count(String sql, Object... parameters) {
    return database.first(sql, row -> row.getLong(1), parameters).orElseThrow();
  }
}

package dev.cairn.access.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.platform.database.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.TestTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/monitoring.md, Metrics: stored bytes and quotas. Rows are only in a transaction. */
@HttpTest
@QuarkusTest
@InProcess("It has the metrics measured, in its own transaction.")
class StorageMetricsTest {
  /** More than any other test leaves. */
  private static final int MANY = 5_000;

  private static final long PETABYTE = 1L << 50;
  private static final double MEBIBYTE = 1 << 20;

  @Inject Database database;
  @Inject Quotas quotas;

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong now = new AtomicLong();
  private StorageMetrics metrics;
  private UUID repoId;
  private UUID orgId;
  private UUID accountId;

  @BeforeEach
  void ids() {
    metrics = new StorageMetrics(database, quotas, registry, now::get);
    repoId = Api.repoId(Api.newRepository());
    orgId = Api.orgId(repoId);
    accountId =
        database
            .first(
                "select account_id from member where org_id = ?",
                row -> row.getObject(1, UUID.class),
                orgId)
            .orElseThrow();
  }

  private double gauge(String name, String tag, String value) {
    return registry.get(name).tag(tag, value).gauge().value();
  }

  private double used(Quota quota) {
    return gauge("cairn.quotas.used", "quota", quota.setting());
  }

  private Map<Quota, Double> measured() {
    used(Quota.BYTES);
    metrics.sample();
    var numbers = new EnumMap<Quota, Double>(Quota.class);
    for (var quota : Quota.values()) {
      numbers.put(quota, used(quota));
    }
    return numbers;
  }

  /**
   * Inserts {@link #MANY} rows.
   *
   * @param sql the statement, in which {@code MANY} stands for that number
   */
  private void insert(String sql, Object... parameters) {
    assertEquals(MANY, database.update(sql.replace("MANY", "" + MANY), parameters));
  }

  private void use(Quota quota) {
    switch (quota) {
      case ORGANIZATIONS ->
          insert(
              """
              insert into organization (id, name, creator_id, created_at)
              select gen_random_uuid(), 'counted-' || gen_random_uuid(), ?, now()
              from generate_series(1, MANY) n
              """,
              accountId);
      case TOKENS -> {
        insertTokens("1 day");
        insertTokens("-25 hours");
      }
      case REPOSITORIES ->
          insert(
              """
              insert into repository (id, org_id, name, visibility, created_at, updated_at)
              select gen_random_uuid(), ?, 'counted-' || n, 'private', now(), now()
              from generate_series(2, MANY + 1) n
              """,
              orgId);
      case MEMBERS ->
          insert(
              """
              insert into invitation (org_id, email, role, invited_by, created_at)
              select ?, 'counted-' || n || '@example.org', 'viewer', ?, now()
              from generate_series(1, MANY) n
              """,
              orgId,
              accountId);
      case SUBSCRIPTIONS ->
          insert(
              """
              insert into subscription (repo_id, id, name, kind, executor_kind, active, cronspec,
                                        allow_trace_reentry, notify_on_success, workspace_policy,
                                        base_url, created_at, updated_at)
              select ?, gen_random_uuid(), 'counted-' || n, 'cron', 'webhook', false, '0 0 * * *',
                     false, false, 'ignore', '', now(), now()
              from generate_series(1, MANY) n
              """,
              repoId);
      case COMPONENTS ->
          insert(
              """
              insert into component
                (id, org_id, name, visibility, mints_token, newest, created_at, updated_at)
              select gen_random_uuid(), ?, 'counted-' || n, 'private', false, 1, now(), now()
              from generate_series(1, MANY) n
              """,
              orgId);
      case BYTES -> StoredBytes.count(database, Map.of(repoId, PETABYTE));
      case EXPORTS_BUILDING, EXPORTS, EXPORT_BYTES, EXPORT_SHARE ->
          insert(
              """
              insert into export_job (repo_id, id, account_id, token_hash, at_seq, state, due_at,
                                      created_at, expires_at, stored_bytes)
              select ?, gen_random_uuid(), ?, sha256(n::text::bytea), 1, 'pending',
                     now() + interval '1 day', now(), now() + interval '1 day', ?
              from generate_series(1, MANY) n
              """,
              repoId,
              accountId,
              PETABYTE / MANY + 1);
      case UNUSED_CLIENTS ->
          insert(
              """
              insert into oauth_client (id, name, redirect_uris, network, created_at)
              select gen_random_uuid(), 'counted', '{}', '', now() from generate_series(1, MANY) n
              """);
      case PENDING_DEVICES ->
          insert(
              """
              insert into oauth_device
                (hash, user_hash, client_id, network, status, interval_s, expires_at)
              select sha256(n::text::bytea), sha256(n::text::bytea), '', '', 'pending', 5, now()
              from generate_series(1, MANY) n
              """);
    }
  }

  private void insertTokens(String untilEnd) {
    insert(
        """
        insert into personal_access_token (id, account_id, name, hash, expires_at, created_at)
        select id, ?, id, sha256(id::text::bytea), now() + ?::interval, now()
        from (select gen_random_uuid() as id from generate_series(1, MANY) n) t
        """,
        accountId,
        untilEnd);
  }

  private static boolean isOfBytes(Quota quota) {
    return quota.setting().contains("bytes");
  }

  @ParameterizedTest
  @EnumSource
  @TestTransaction
  void each_quota_has_what_its_fullest_owner_uses_and_what_it_allows(Quota quota) {
    double many = isOfBytes(quota) ? PETABYTE : MANY;
    double before = measured().get(quota);
    assertTrue(before < many, quota + " " + before);
    use(quota);
    double after = measured().get(quota);
    switch (quota) {
      // Rows that expired may be deleted meanwhile.
      case UNUSED_CLIENTS, PENDING_DEVICES ->
          assertTrue(after >= MANY && after <= before + MANY, before + " " + after);
      case REPOSITORIES, MEMBERS -> assertEquals(MANY + 1, after, "one was there before");
      case ORGANIZATIONS, TOKENS -> assertTrue(after >= MANY && after < 2 * MANY, "" + after);
      case SUBSCRIPTIONS, COMPONENTS, EXPORTS_BUILDING, EXPORTS -> assertEquals(MANY, after);
      case BYTES, EXPORT_BYTES, EXPORT_SHARE -> {
        assertTrue(after >= PETABYTE, "" + after);
        assertEquals(0, after % MEBIBYTE);
      }
    }
    var limit = registry.find("cairn.quotas.limit").tag("quota", quota.setting()).gauge();
    if (quotas.isOn(quota)) {
      assertEquals(quotas.limit(quota), (long) limit.value());
    } else {
      assertNull(limit);
    }
  }

  @Test
  @TestTransaction
  void the_sums_have_what_is_not_folded_yet_and_what_exports_store() {
    use(Quota.BYTES);
    use(Quota.EXPORT_BYTES);
    var numbers = measured();
    assertTrue(gauge("cairn.stored", "what", "repositories") >= PETABYTE);
    assertEquals(numbers.get(Quota.EXPORT_BYTES), gauge("cairn.stored", "what", "exports"));
    assertTrue(numbers.get(Quota.BYTES) >= 2 * PETABYTE, "repositories and exports");
  }

  @Test
  void nothing_is_measured_unless_somebody_reads_it() {
    metrics.sample();
    assertEquals(Double.NaN, used(Quota.REPOSITORIES), "read for the first time");
    metrics.sample();
    assertTrue(used(Quota.REPOSITORIES) >= 1);
    now.addAndGet(Duration.ofMinutes(9).toNanos());
    metrics.sample();
    assertTrue(used(Quota.REPOSITORIES) >= 1);
    now.addAndGet(Duration.ofMinutes(10).toNanos());
    metrics.sample();
    assertEquals(Double.NaN, used(Quota.REPOSITORIES), "rather than an old number");
  }
}

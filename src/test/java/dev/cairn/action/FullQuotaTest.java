package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/limits.md, Quotas: what stores runs and attempts without a commit. */
@HttpTest
@QuarkusTest
@InProcess("It fires schedules at times of its own.")
@TestProfile(Limited.class)
class FullQuotaTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  @Inject Database database;
  @Inject CronTicks ticks;
  @Inject StoredBytes storedBytes;
  @Inject MeterRegistry metrics;

  private String repository;
  private UUID repoId;
  private SampleRuns runs;

  @BeforeEach
  void repository() {
    Limited.refill();
    repository = Api.newRepository("private");
    repoId = Api.repoId(repository);
    Api.submit(
            repository,
            "{'operations':[{'operation':'add','name':'Shape/S','data':{'fields':{}}}]}")
        .statusCode(201);
    runs = new SampleRuns(repository, "S");
  }

  /** The replica's own sum must be changed too, or it would not look for some seconds. */
  private void stored(long bytes) {
    database.update("update repository set other_bytes = ? where id = ?", bytes, repoId);
    var org = Api.orgId(repoId);
    database.transaction(
        () -> {
          storedBytes.addAfterCommit(org, bytes);
          return bytes;
        });
  }

  private ValidatableResponse all() {
    return admin().get(repository + "/actions/runs").then().statusCode(200);
  }

  @Test
  void runs_are_retried_by_hand_only_while_there_is_room() {
    var run = runs.failed();
    stored(Limited.BYTES);
    admin()
        .post(repository + "/actions/runs/" + run + "/retry")
        .then()
        .statusCode(413)
        .body("details.limit", is("bytes-per-organization"));
    admin().body(Map.of("since", 0)).post(repository + "/subs/runs/recover").then().statusCode(413);
    all().body("[0].status", is("failed_terminal")).body("[0].maxAttempts", is(7));
    stored(0);
    admin().post(repository + "/actions/runs/" + run + "/retry").then().statusCode(200);
    all().body("[0].maxAttempts", is(8));
  }

  private double refused() {
    return metrics
        .get("cairn.quotas.refused")
        .tag("quota", "bytes-per-organization")
        .counter()
        .count();
  }

  /** Another schedule like the one that there is. */
  private void copy() {
    database.update(
        """
        insert into subscription (repo_id, id, name, kind, executor_kind, active, webhook_url,
                                  cronspec, timezone, next_tick_at, allow_trace_reentry,
                                  notify_on_success, workspace_policy, base_url, created_at,
                                  updated_at)
        select repo_id, gen_random_uuid(), 'copy', kind, executor_kind, true, webhook_url, cronspec,
               timezone, next_tick_at, allow_trace_reentry, notify_on_success, workspace_policy,
               base_url, now(), now()
        from subscription where repo_id = ?
        """,
        repoId);
  }

  @Test
  void schedules_fire_only_while_there_is_room() {
    database.update(
        "update subscription set kind = 'cron', source_repo_id = null, shape_id = null, filter = null,"
            + " cronspec = '0 * * * *', timezone = 'UTC', next_tick_at = ? where repo_id = ?",
        NOON,
        repoId);
    copy();
    stored(Limited.BYTES);
    double refused = refused();
    assertEquals(0, ticks.fire(NOON));
    assertEquals(refused + 1, refused(), "it is found out once, not for each schedule");
    all().body("", hasSize(0));
    stored(0);
    assertEquals(2, ticks.fire(NOON.plus(1, ChronoUnit.HOURS)));
    all().body("", hasSize(2));
    database.update("delete from subscription where repo_id = ?", repoId);
  }
}

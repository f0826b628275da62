package dev.cairn.action;

import dev.cairn.HttpTest;
import dev.cairn.Plans;
import dev.cairn.platform.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Actions, Workers: what a claim touches does not grow with what waits. */
@HttpTest
@QuarkusTest
class QueuePlansTest {
  private static final String RUNS =
      """
      insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id, matched,
                              envelope, executor_kind, target, trace_id, depth, status,
                              attempt_count, max_attempts, lease, due_at, created_at, updated_at)
      select '%1$s', gen_random_uuid(), gen_random_uuid(), 'hook', lpad(to_hex(i), 16, '0'), '{}',
             '{}', 'webhook', 'https://%2$s.example', gen_random_uuid(), 1, '%4$s', 0, 7,
             case when '%4$s' = 'running' then gen_random_uuid() end,
             now() - make_interval(secs => i), now(), now()
      from generate_series(1, %3$d) i
      """;

  @Inject DataSource dataSource;

  private Plans plans() throws Exception {
    var plans = new Plans(dataSource);
    // What other tests have left would count too.
    plans.execute("delete from action_run");
    plans.execute(RUNS.formatted(plans.repoId, "long", 20_000, "pending"));
    plans.execute(RUNS.formatted(plans.repoId, "short", 3, "retry_wait"));
    plans.execute(RUNS.formatted(plans.repoId, "busy", 3_000, "running"));
    // What is known of other tests' runs would choose the plans, one way or the other.
    plans.execute("analyze action_run");
    return plans;
  }

  private static Object[] rules(String... full) {
    return new Object[] {
      new String[] {"webhook", "sprite"},
      new UUID[0],
      new String[0],
      new UUID[full.length],
      full,
      512
    };
  }

  @Test
  void looking_for_lines_steps_over_them_whatever_their_length() throws Exception {
    try (var plans = plans()) {
      plans.assertRows(60, RunQueue.LINES_OF_ALL, rules());
      var some = new Object[7];
      some[0] = new UUID[] {plans.repoId};
      System.arraycopy(rules(), 0, some, 1, 6);
      plans.assertRows(60, RunQueue.LINES_OF_SOME, some);
    }
  }

  @Test
  void a_claim_touches_what_it_claims() throws Exception {
    try (var plans = plans()) {
      plans.assertRows(
          250,
          RunQueue.CLAIM,
          new UUID[] {plans.repoId, plans.repoId},
          new String[] {"https://long.example", "https://short.example"},
          new int[] {8, 8},
          UUID.randomUUID(),
          30);
    }
  }

  @Test
  void a_settlement_touches_what_it_settles() throws Exception {
    try (var plans = plans()) {
      plans.assertRows(
          20,
          Settlements.SETTLE,
          new UUID[] {plans.repoId},
          new UUID[] {UUID.randomUUID()},
          new int[] {1},
          new UUID[] {UUID.randomUUID()},
          new String[] {"retry_wait"},
          new long[] {5000},
          new int[] {0},
          new String[] {"failed"},
          new String[] {"HTTP_500"},
          new String[] {"The receiver answered 500."},
          new int[] {500},
          7,
          0L);
    }
  }

  @Test
  void looking_for_what_is_overdue_touches_what_it_finds() throws Exception {
    try (var plans = plans()) {
      plans.assertRows(700, Settlements.OVERDUE, 200);
    }
  }

  /** The long line is of one subscription, whose id is the repository's, and its ends are told. */
  private static Plans withSubscription(Plans plans) throws Exception {
    plans.execute(
        """
        update action_run set subscription_id = repo_id
        where target = 'https://long.example';
        update repository
        set settings = '{"notifications":{"webhookUrl":"https://tell.example/"}}'
        where id = '%s'
        """
            .formatted(plans.repoId));
    plans.execute(Database.IN_ORDER);
    return plans;
  }

  private static Object[] ending(Plans plans, OffsetDateTime from) {
    return new Object[] {
      plans.repoId,
      "https://long.example",
      from,
      plans.repoId,
      100,
      "SUBSCRIPTION_DELETED",
      "The subscription was deleted.",
      7,
      0L,
      99
    };
  }

  @Test
  void the_end_of_some_runs_of_a_deleted_subscription_touches_these() throws Exception {
    try (var plans = withSubscription(plans())) {
      plans.assertRows(
          3_000, Recovery.END, ending(plans, OffsetDateTime.now(ZoneOffset.UTC).minusYears(1)));
    }
  }

  @Test
  void the_next_ones_are_found_behind_them() throws Exception {
    try (var plans = withSubscription(plans())) {
      var middle = OffsetDateTime.now(ZoneOffset.UTC).minusSeconds(10_000);
      plans.assertRows(3_000, Recovery.END, ending(plans, middle));
    }
  }

  @Test
  void what_is_removed_for_its_age_is_all_that_is_touched() throws Exception {
    try (var plans = plans()) {
      plans.execute(
          """
          update action_run
          set status = 'succeeded', lease = null, ended_at = due_at, due_at = null
          """);
      plans.execute(Database.IN_ORDER);
      plans.assertRows(1_000, Retention.PURGE, 0, 100);
    }
  }
}

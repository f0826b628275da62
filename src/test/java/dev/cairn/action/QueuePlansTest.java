package dev.cairn.action;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Plans;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Actions, Workers: what a claim touches does not grow with what there is, also while all that the
 * database knows is from the time when there was nothing: its statistics, and the plans that it has
 * kept.
 */
@HttpTest
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@InProcess("It asks the database, and nothing of the service but its schema.")
class QueuePlansTest {
  private static final String RUNS =
      """
      insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id, matched,
                              envelope, executor_kind, target, trace_id, depth, status,
                              attempt_count, max_attempts, lease, due_at, ended_at, created_at,
                              updated_at)
      select '%1$s', gen_random_uuid(), '%1$s', 'hook',
             substring(replace(gen_random_uuid()::text, '-', '') for 16), '{}', '{}', 'webhook',
             'https://%2$s.example', gen_random_uuid(), 1, '%4$s', 0, 7,
             case when '%4$s' = 'running' then gen_random_uuid() end,
             case when '%4$s' <> 'succeeded' then now() - make_interval(secs => i) end,
             case when '%4$s' = 'succeeded' then now() - make_interval(secs => i) end,
             now(), now()
      from generate_series(1, %3$d) i
      """;

  private final DataSource dataSource = OwnConnections.dataSource();

  private Plans plans;
  private String claimed;
  private String found;
  private String overdue;
  private String removed;
  private String ended;

  @BeforeAll
  void fillBehindTheDatabasesBack() throws Exception {
    plans = new Plans(dataSource);
    // What other tests have left would count too.
    plans.execute("truncate action_run cascade");
    plans.execute("analyze action_run");
    plans.execute(Database.IN_INDEX_ORDER);
    overdue = plans.planned(AttemptResults.OVERDUE, 200);
    removed = plans.planned(Retention.PURGE, 0, 100);
    ended = plans.planned(Recovery.END, ending(OffsetDateTime.now(ZoneOffset.UTC).minusYears(1)));
    found = plans.planned(ReadyQueues.READY_OF_PART, ofPart());
    plans.execute("reset enable_bitmapscan; reset enable_sort");
    claimed = plans.planned(RunQueue.CLAIM, claim());
    plans.execute("reset plan_cache_mode");
    plans.execute(RUNS.formatted(plans.repoId, "long", 40_000, "succeeded"));
    plans.execute(RUNS.formatted(plans.repoId, "long", 10_000, "pending"));
    plans.execute(RUNS.formatted(plans.repoId, "short", 3, "retry_wait"));
    plans.execute(RUNS.formatted(plans.repoId, "busy", 3_000, "running"));
  }

  @BeforeEach
  void begin() throws Exception {
    plans.execute("savepoint filled");
  }

  @AfterEach
  void takeBack() throws Exception {
    plans.execute("rollback to savepoint filled");
  }

  @AfterAll
  void close() throws Exception {
    plans.close();
  }

  private static Object[] rules(String... full) {
    return new Object[] {
      new UUID[0], new String[0], new Boolean[0], new UUID[full.length], full, 512
    };
  }

  /** The first part. */
  private static Object[] ofPart() {
    var parameters = new Object[9];
    System.arraycopy(new Object[] {new UUID(0, 0), "", false}, 0, parameters, 0, 3);
    System.arraycopy(rules(), 0, parameters, 3, 6);
    return parameters;
  }

  private Object[] claim() {
    return new Object[] {
      new UUID[] {plans.repoId, plans.repoId},
      new String[] {"https://long.example", "https://short.example"},
      new Boolean[] {true, true},
      new int[] {8, 8},
      new Boolean[] {false, false},
      new String[2],
      UUID.randomUUID(),
      30
    };
  }

  private void keepOldPlans() throws Exception {
    plans.execute("set local plan_cache_mode = force_generic_plan");
  }

  @Test
  void looking_for_queues_steps_over_them_whatever_their_length() throws Exception {
    plans.execute(Database.IN_INDEX_ORDER);
    plans.assertRows(100, ReadyQueues.READY_OF_PART, ofPart());
    var some = new Object[7];
    some[0] = new UUID[] {plans.repoId};
    System.arraycopy(rules(), 0, some, 1, 6);
    plans.assertRows(60, ReadyQueues.READY_OF_REPOSITORIES, some);
    keepOldPlans();
    plans.assertRows(100, found);
  }

  /** Retries and urgent runs of 500 targets, whose circuits are open; a third is to be probed. */
  private void openCircuits() throws Exception {
    for (var target : List.of("1", "2")) {
      plans.execute(RUNS.formatted(plans.repoId, "many" + target, 10_000, "retry_wait"));
    }
    plans.execute(
        """
        update action_run
        set target = 'https://many.example#' || (extract(epoch from due_at)::bigint % 500),
            urgent = target like '%2%'
        where target like '%many%'
        """);
    plans.execute(
        """
        insert into delivery_target (repo_id, target, failures, open_until, updated_at, probe)
        select '%s', 'https://many.example#' || i, 7,
               now() + make_interval(mins => i %% 3 - 1), now(), gen_random_uuid()
        from generate_series(0, 499) i
        """
            .formatted(plans.repoId));
  }

  @Test
  void looking_for_probes_steps_over_the_queues_of_many_targets() throws Exception {
    openCircuits();
    plans.execute(Database.IN_INDEX_ORDER);
    // A thousand queues, in less than thirty steps each, of 150,000 runs.
    plans.assertRows(30_000, ReadyQueues.READY_OF_PART, ofPart());
    keepOldPlans();
    plans.assertRows(30_000, found);
  }

  @Test
  void looking_for_queues_stops_after_a_part_of_them_however_many_there_are() throws Exception {
    openCircuits();
    plans.execute(
        "update action_run set target = target || '#' || (extract(epoch from due_at)::bigint % 10000)"
            + " where target like '%many%'");
    plans.execute(Database.IN_INDEX_ORDER);
    // A thousand of more than 10,000 queues.
    plans.assertRows(30_000, ReadyQueues.READY_OF_PART, ofPart());
    keepOldPlans();
    plans.assertRows(30_000, found);
  }

  @Test
  void a_claim_of_probes_touches_what_it_claims() throws Exception {
    openCircuits();
    var probing = claim();
    probing[1] = new String[] {"https://many.example#0", "https://many.example#3"};
    probing[2] = new Boolean[] {false, false};
    probing[3] = new int[] {1, 1};
    probing[4] = new Boolean[] {true, true};
    plans.assertRows(250, RunQueue.CLAIM, probing);
    keepOldPlans();
    plans.assertRows(250, claimed);
  }

  @Test
  void what_is_left_to_do_is_counted_with_a_bound_for_each_queue() throws Exception {
    plans.execute(
        "update action_run set due_at = now() + interval '1 h' where target like '%long%'"
            + " and status = 'pending'");
    openCircuits();
    // The due ones, which may be claimed, in a few steps each; not those of open circuits.
    plans.assertRows(60_000, RunQueue.OUTLOOK);
  }

  @Test
  void a_claim_touches_what_it_claims() throws Exception {
    plans.assertRows(250, RunQueue.CLAIM, claim());
  }

  @Test
  void a_claim_that_was_planned_when_there_was_nothing_touches_what_it_claims() throws Exception {
    keepOldPlans();
    plans.assertRows(250, claimed);
  }

  @Test
  void a_result_touches_only_the_rows_that_it_changes() throws Exception {
    plans.execute(Database.CUSTOM_PLAN);
    plans.assertRows(
        20,
        AttemptResults.WRITE,
        new UUID[] {plans.repoId},
        new UUID[] {UUID.randomUUID()},
        new int[] {1},
        new UUID[] {UUID.randomUUID()},
        new String[] {"retry_wait"},
        new long[] {5000},
        new int[] {0},
        new Boolean[] {false},
        new String[] {"failed"},
        new String[] {"HTTP_500"},
        new String[] {"The receiver answered 500."},
        new int[] {500},
        new String[] {""},
        7,
        0L);
  }

  @Test
  void the_renewal_of_a_lease_touches_what_it_renews() throws Exception {
    var lease = UUID.randomUUID();
    plans.execute(Database.CUSTOM_PLAN);
    plans.assertRows(
        20,
        RunQueue.RENEW,
        new UUID[] {plans.repoId},
        new UUID[] {UUID.randomUUID()},
        new int[] {1},
        lease,
        30,
        lease);
  }

  @Test
  void looking_for_what_is_overdue_touches_what_it_finds() throws Exception {
    plans.execute(Database.IN_INDEX_ORDER);
    plans.assertRows(600, AttemptResults.OVERDUE, 200);
    keepOldPlans();
    plans.assertRows(600, overdue);
  }

  @Test
  void counting_what_waits_looks_at_ten_thousand_runs_at_the_most() throws Exception {
    plans.execute(RUNS.formatted(plans.repoId, "later", 30_000, "retry_wait"));
    plans.execute(
        "update action_run set due_at = now() + interval '1 h' where target like '%later%'");
    // Of due ones, of those for later, and of running ones, in five steps each.
    plans.assertRows(150_000, ActionQueues.COUNTS);
  }

  private Object[] ending(OffsetDateTime from) {
    return new Object[] {
      plans.repoId,
      "https://long.example",
      true,
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

  /** The long line is of one subscription, whose id is the repository's, and its ends are told. */
  private void tellOfEnds() throws Exception {
    plans.execute(
        """
        update repository
        set settings = '{"notifications":{"webhookUrl":"https://tell.example/"}}',
            notifications_principal_id = (select min(id::text)::uuid from account)
        where id = '%s'
        """
            .formatted(plans.repoId));
    plans.execute(Database.IN_INDEX_ORDER);
  }

  @Test
  void the_end_of_some_runs_of_a_deleted_subscription_touches_these() throws Exception {
    tellOfEnds();
    plans.assertRows(4_000, Recovery.END, ending(OffsetDateTime.now(ZoneOffset.UTC).minusYears(1)));
  }

  @Test
  void the_same_by_a_plan_from_the_time_when_there_was_nothing() throws Exception {
    tellOfEnds();
    keepOldPlans();
    plans.assertRows(4_000, ended);
  }

  @Test
  void the_next_ones_are_found_after_them() throws Exception {
    tellOfEnds();
    var middle = OffsetDateTime.now(ZoneOffset.UTC).minusSeconds(5_000);
    plans.assertRows(4_000, Recovery.END, ending(middle));
  }

  @Test
  void looking_for_runs_whose_subscription_is_gone_touches_what_waits() throws Exception {
    plans.assertRows(31_000, Recovery.GONE, 100);
  }

  @Test
  void what_is_removed_for_its_age_is_all_that_is_touched() throws Exception {
    plans.execute(Database.IN_INDEX_ORDER);
    plans.assertRows(1_000, Retention.PURGE, 0, 100);
    keepOldPlans();
    plans.assertRows(1_000, removed);
  }
}

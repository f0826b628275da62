package dev.cairn.subscription;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Plans;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is asked of subscriptions takes time by those of the repository, whatever there is else. */
@HttpTest
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@InProcess("It asks the database, and nothing of the service but its schema.")
class SubscriptionPlansTest {
  private static final int OWN = 100;
  private static final int OTHERS = 30_000;

  /** Rows of joined tables, for each subscription. */
  private static final int EACH = 10;

  private Plans plans;

  @BeforeAll
  void fill() throws SQLException {
    plans = new Plans(OwnConnections.dataSource());
    plans.execute(
        """
        insert into organization (id, name, created_at)
        values ('00000000-0000-7000-8000-000000000001', 'plans-others', now());
        insert into repository (id, org_id, name, visibility, created_at, updated_at)
        select gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'r' || i, 'private',
               now(), now()
        from generate_series(1, 300) as i;
        """);
    insert(OTHERS / 300, "r.org_id = '00000000-0000-7000-8000-000000000001'");
    plans.execute("analyze subscription, repository");
    insert(OWN, "r.id = '" + plans.repoId + "'");
  }

  private void insert(int each, String where) throws SQLException {
    plans.execute(
        """
        insert into subscription (repo_id, id, name, kind, cronspec, executor_kind, active,
                                  source_repo_id, shape_id, filter, webhook_url,
                                  allow_trace_reentry, notify_on_success, workspace_policy,
                                  base_url, created_at, updated_at)
        select r.id, gen_random_uuid(), 'sub-' || i,
               case when i %% 10 = 0 then 'cron' else 'webhook' end,
               case when i %% 10 = 0 then '0 5 * * *' end, 'webhook', true,
               case when i %% 10 <> 0 then r.id end, 100, '{"operation":"add"}',
               'https://hooks.example.org/', false, false, 'ignore', '', now(), now()
        from repository r, generate_series(1, %d) as i where %s
        """
            .formatted(each, where));
  }

  @AfterAll
  void rollBack() throws SQLException {
    plans.close();
  }

  @Test
  void the_watchers_of_a_repository_are_found_by_it() throws SQLException, IOException {
    plans.assertRows(EACH * OWN, Watchers.LOAD, plans.repoId);
  }

  @Test
  void the_list_of_a_repository_is_found_by_it() throws SQLException, IOException {
    plans.assertRows(
        EACH * OWN, SubscriptionReads.SELECT + " order by s.name", false, plans.repoId);
  }

  @Test
  void one_subscription_is_a_look_up() throws SQLException, IOException {
    plans.assertRows(
        2 * EACH, SubscriptionReads.SELECT + " and s.name = ?", true, plans.repoId, "sub-7");
  }

  @Test
  void what_an_organization_lost_is_found_by_its_repositories() throws SQLException, IOException {
    plans.assertRows(EACH * OWN, TenantChanges.LOST, plans.repoId);
  }
}

package dev.cairn.action;

import dev.cairn.Api;
import dev.cairn.TestDatabase;
import dev.cairn.platform.Configs;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.work.ActiveAttempt;
import dev.cairn.work.Worker;
import io.quarkus.arc.Arc;
import jakarta.enterprise.util.TypeLiteral;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Subscriptions as they are stored, and a worker that does only what a test says. Where the service
 * is another process, it works by ticks, and what begins attempts and waits for them by itself is
 * not to be had.
 */
final class Deliveries {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Database database = OwnConnections.database();

  /** A webhook for everything on a shape of the same repository. */
  UUID webhook(String repository, String name, String shape, String url) {
    return webhook(repository, repository, name, shape, url);
  }

  /** A webhook for everything on a shape of another repository. */
  UUID webhook(String repository, String source, String name, String shape, String url) {
    var id = Ids.next();
    database.update(
        """
        insert into subscription (repo_id, id, name, kind, executor_kind, active, source_repo_id,
                                  shape_id, filter, webhook_url, allow_trace_reentry,
                                  notify_on_success, workspace_policy, base_url, principal_id,
                                  created_at, updated_at)
        select ?, ?, ?, 'webhook', 'webhook', true, ?,
               (select e.id from entity e
                where e.repo_id = ? and e.shape_name = 'Shape' and e.name = ?),
               '{}', ?, false, false, 'ignore', 'https://cairn.example.org', a.id, now(), now()
        from account a where a.email = 'admin@example.org'
        """,
        Api.repoId(repository),
        id,
        name,
        Api.repoId(source),
        Api.repoId(source),
        shape,
        url);
    raise(source);
    return id;
  }

  private void raise(String source) {
    database.update(
        "update repository_head set watchers = watchers + 1 where repo_id = ?", Api.repoId(source));
  }

  /** Sets columns of a subscription. */
  void set(UUID subscriptionId, String assignments, Object... values) {
    var parameters = new ArrayList<Object>(List.of(values));
    parameters.add(subscriptionId);
    database.update(
        "update subscription set " + assignments + " where id = ?", parameters.toArray());
    database.update(
        """
        update repository_head h set watchers = watchers + 1
        from subscription s where s.id = ? and h.repo_id = s.source_repo_id
        """,
        subscriptionId);
  }

  /** A set of credentials of a repository, good or not; answers its id. */
  UUID credentials(String repository, String name, Map<String, String> keys) {
    var id = Ids.next();
    var secrets = Configs.secretBox(Map.of("cairn.secret-key", Configs.SECRET_KEY));
    database.update(
        """
        insert into credential_set (id, org_id, repo_id, name, created_at, updated_at)
        select ?, org_id, id, ?, now(), now() from repository where id = ?
        """,
        id,
        name,
        Api.repoId(repository));
    keys.forEach(
        (key, value) ->
            database.update(
                """
                insert into credential_key (set_id, name, set_by, sealed)
                select ?, ?, id, ? from account where email = 'EMAIL'
                """
                    .replace("EMAIL", TestDatabase.ADMIN_EMAIL),
                id,
                key,
                secrets.seal(
                    value.getBytes(StandardCharsets.UTF_8), "credential " + id + " " + key)));
    return id;
  }

  /** Begins to stop a worker; complete once it has stopped. */
  static CompletableFuture<Void> stop(Worker<?, ?> worker) {
    var stopped = new CompletableFuture<Void>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                worker.stop();
                stopped.complete(null);
              } catch (InterruptedException e) {
                stopped.completeExceptionally(e);
              }
            });
    return stopped;
  }

  /** Carries out what is due in a repository, until nothing is; answers how many attempts. */
  int run(String repository) {
    if (Arc.container() == null) {
      return tick(repository);
    }
    int executed = 0;
    var begun = begin(repository);
    while (!begun.isEmpty()) {
      executed += begun.size();
      await(begun);
      begun = begin(repository);
    }
    return executed;
  }

  /** The same by another process, which would see to what earlier tests have left, too. */
  private int tick(String repository) {
    var repoId = Api.repoId(repository);
    database.update(
        """
        delete from action_run
        where repo_id <> ? and status in ('pending', 'retry_wait', 'running')
        """,
        repoId);
    database.update("update subscription set active = false where repo_id <> ?", repoId);
    long before = attempts(repoId);
    Api.as(TestDatabase.TICK_TOKEN).post("/internal/tick?seconds=60").then().statusCode(200);
    return (int) (attempts(repoId) - before);
  }

  private long attempts(UUID repoId) {
    return Long.parseLong(value("select count(*) from action_attempt where repo_id = ?", repoId));
  }

  /** Sees to the attempts of a repository that have lasted too long. */
  void rescue(String repository) {
    if (Arc.container() == null) {
      tick(repository);
    } else {
      Arc.container().instance(RunKind.class).get().rescue();
    }
  }

  private static Worker<RunAttempt, Outcome> worker() {
    return Arc.container().instance(new TypeLiteral<Worker<RunAttempt, Outcome>>() {}).get();
  }

  /** Begins what is due in a repository. */
  List<ActiveAttempt<RunAttempt, Outcome>> begin(String repository) {
    return worker().claim(Optional.of(Set.of(Api.repoId(repository))));
  }

  /** Waits until all of these have ended. */
  void await(List<ActiveAttempt<RunAttempt, Outcome>> begun) {
    try {
      var left = begun;
      long until = System.nanoTime() + LONG.toNanos();
      while (!left.isEmpty()) {
        worker().writeResults(); // that a lock kept back meanwhile
        var before = left.size();
        left = worker().awaitOne(left, Duration.ofSeconds(1));
        if (left.size() < before) {
          until = System.nanoTime() + LONG.toNanos();
        } else if (System.nanoTime() > until) {
          throw new AssertionError("attempts do not end: " + left.getFirst().item());
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes whatever waits in a repository due. */
  void hurry(String repository) {
    database.update(
        """
        update action_run set due_at = now()
        where repo_id = ? and status in ('pending', 'retry_wait', 'running')
        """,
        Api.repoId(repository));
    database.update("delete from delivery_target where repo_id = ?", Api.repoId(repository));
  }

  /** The id of the only run of a repository. */
  UUID onlyRun(String repository) {
    var runs =
        database.list(
            "select id from action_run where repo_id = ?",
            row -> row.getObject(1, UUID.class),
            Api.repoId(repository));
    if (runs.size() != 1) {
      throw new AssertionError(runs.size() + " runs");
    }
    return runs.getFirst();
  }

  /** A value of the only row that a query has. */
  String value(String sql, Object... parameters) {
    return database.first(sql, row -> row.getString(1), parameters).orElseThrow();
  }
}

package dev.cairn.action;

import dev.cairn.Api;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import java.util.UUID;

/** Runs in states that take a while to come about, of a subscription named {@code runs}. */
public final class SampleRuns {
  private final Database database = OwnConnections.database();
  private final UUID repoId;
  private final UUID subscription;
  private String accepted;

  /** Makes the subscription, to a shape that there is. */
  public SampleRuns(String repository, String shape) {
    var deliveries = new Deliveries();
    repoId = Api.repoId(repository);
    subscription = deliveries.webhook(repository, "runs", shape, "http://127.0.0.1:9/");
    // The principal must be a member, or runs in a private repository are not retried.
    deliveries.set(
        subscription,
        """
        principal_id = (
          select m.account_id from member m join repository r on r.org_id = m.org_id
          where r.id = ? and m.role = 'owner' order by m.created_at limit 1)
        """,
        repoId);
  }

  /** The id of a run that waits for its callback. */
  public String accepted(String commitId) {
    if (accepted == null) {
      accepted = insert(commitId, "running", "now() + interval '1 hour'", "null");
    }
    return accepted;
  }

  /** The id of another run that has failed. */
  public String failed() {
    var commitId = Ids.next().toString().replace("-", "").substring(16);
    return insert(commitId, "failed_terminal", "null", "now()");
  }

  private String insert(String commitId, String status, String dueAt, String endedAt) {
    var id = Ids.next();
    database.update(
        """
        insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id, matched,
                                envelope, executor_kind, target, trace_id, depth, status,
                                attempt_count, max_attempts, due_at, ended_at, created_at,
                                updated_at)
        values (?, ?, ?, 'runs', ?, '{}', '{}', 'webhook', 'http://127.0.0.1:9', ?, 1, ?, 1, 7,
        """
            + dueAt
            + ", "
            + endedAt
            + ", now(), now())",
        repoId,
        id,
        subscription,
        commitId,
        id,
        status);
    return id.toString();
  }
}

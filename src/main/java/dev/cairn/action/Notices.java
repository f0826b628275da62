package dev.cairn.action;

/**
 * Notifications of the ends of runs: in the inbox, and by a call of the repository's notification
 * URL if it has one. A call is a run of the executor {@value #KIND}, which waits, is claimed,
 * carried out and ended like any other one, without a notification of its own end. See {@code
 * docs/actions.md}, Notifications.
 */
public final class Notices {
  /** The {@code executor_kind} of calls. */
  public static final String KIND = "notification";

  /**
   * The runs that callers see. It follows the name of a table of runs; a constant, so that partial
   * indexes with this condition are used.
   */
  public static final String IS_RUN = ".executor_kind <> '" + KIND + "'";

  /**
   * Continues a statement after its {@code ending (repo_id, run_id, subscription_name, commit_id,
   * source_repo_id, trace_id, depth, attempt, outcome, code, message)}, the runs whose ends are to
   * be notified, and its {@code texts (repo_id, bytes)}, by how much longer the texts are that the
   * statement stores, which are counted with those of the notifications. Its parameters are how
   * many attempts a call has, and the wait before the first one in milliseconds.
   *
   * <p>A call contains nothing of another repository that the subscription watches: the account
   * that set the notification URL may not be allowed to read that one.
   */
  static final String INSERT =
      """
      called as materialized (
        select e.*, coalesce(e.source_repo_id = e.repo_id, true) as is_own,
               next_id() as call_id, w.url, o.name as org, p.name as repo
        from ending e
        join repository p on p.id = e.repo_id
        join organization o on o.id = p.org_id
        cross join lateral (
          select p.settings::json #>> '{notifications,webhookUrl}' as url) w
        where w.url is not null and p.notifications_principal_id is not null),
      calls as (
        insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id, matched,
                                envelope, executor_kind, target, trace_id, depth, status,
                                max_attempts, due_at, created_at, updated_at)
        select c.repo_id, c.call_id, c.call_id, c.subscription_name, c.commit_id, '{}',
               json_strip_nulls(json_build_object(
                 'type', 'cairn.notification',
                 'timestamp', to_char(t.now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                 'data', json_build_object(
                   'runId', c.run_id,
                   'traceId', c.trace_id,
                   'subscriptionName', c.subscription_name,
                   'repo', json_build_object('orgName', c.org, 'repoName', c.repo),
                   'commitId', case when c.is_own then c.commit_id end,
                   'attempt', c.attempt,
                   'outcome', c.outcome,
                   'errorCode', c.code,
                   'errorMessage', case when c.is_own then ltrim(c.message, chr(10)) end))),
               'notification',
               'notify:' || lower(substring(c.url from '^[^/]+//[^/?]+')) || '#'
                 || left(encode(sha256(convert_to(c.url, 'UTF8')), 'hex'), 32),
               c.trace_id, c.depth, 'pending', ?, t.now + make_interval(secs => ? / 1000.0),
               t.now, t.now
        from called c cross join (select date_trunc('milliseconds', now()) as now) t
        returning repo_id, octet_length(envelope) as bytes),
      notices as (
        insert into action_notification (repo_id, id, run_id, subscription_name, commit_id, attempt,
                                         channel, status, outcome, error_code, error_message,
                                         dispatch_id, created_at)
        select n.repo_id, next_id(), n.run_id, n.subscription_name, n.commit_id, n.attempt,
               n.channel, 'queued', n.outcome, n.code, n.message, n.call_id,
               date_trunc('milliseconds', now())
        from (
          select repo_id, run_id, subscription_name, commit_id, attempt, outcome, code, message,
                 'inbox' as channel, null::uuid as call_id
          from ending
          union all
          select repo_id, run_id, subscription_name, commit_id, attempt, outcome, code, message,
                 'webhook', call_id
          from called) n
        returning repo_id, coalesce(octet_length(error_message), 0) as bytes),
      counted as (
        insert into stored_bytes_change (repo_id, bytes)
        select repo_id, sum(bytes)::bigint
        from (
          select repo_id, bytes from texts
          union all
          select repo_id, bytes from calls
          union all
          select repo_id, bytes from notices) s
        group by repo_id having sum(bytes) <> 0)
      """;

  private Notices() {}
}

package dev.cairn.action;

import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.CommitListener;
import dev.cairn.commit.CommittedOperation;
import dev.cairn.content.Commit;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.subscription.AutomaticPauses;
import dev.cairn.subscription.AutomaticPauses.SubscriptionId;
import dev.cairn.subscription.Watcher;
import dev.cairn.subscription.Watchers;
import dev.cairn.work.RetrySchedule;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes the runs of a commit in its own transaction: a commit that is there has them, one that is
 * not has none. See {@code docs/actions.md}, Runs and Traces.
 */
@ApplicationScoped
public class Outbox implements CommitListener {
  /** Depth of chained runs: how many may follow from one another; docs/actions.md, Traces. */
  static final int MAX_DEPTH = 16;

  /** The length of the envelopes that are in memory and stored together; one may be longer. */
  private static final int BATCH_CHARACTERS = 1024 * 1024;

  /** The channel on which the repository of new runs is named. */
  static final String CHANNEL = "cairn_runs";

  /** The bytes that a row of {@code action_run} adds to its repository, as an expression of SQL. */
  static final String RUN_BYTES =
      StoredBytes.RUN + " + octet_length(envelope) + 4 * cardinality(matched)";

  /**
   * The payload is copied within the database, without the marks of its references. A subscription
   * whose principal may not read what it watches gets no run.
   */
  private static final String INSERT =
      """
      with wanted as materialized (
        select n.* from unnest(?, ?, ?, ?, ?, ?, ?, ?)
          as n (repo_id, id, subscription_id, name, matched, envelope, executor_kind, target)
        cross join lateral (
          select 1 from subscription s
          join repository watched on watched.id = s.source_repo_id
          join repository own on own.id = s.repo_id
          where s.repo_id = n.repo_id and s.id = n.subscription_id and not (%3$s)
          offset 0) s),
      kept as (
        insert into matched_operation (repo_id, seq, op_index, body)
        select ?, ?, n.op_index,
               convert_to(n.head || replace(v.data, chr(1), '') || '}', 'UTF8')
        from unnest(?, ?, ?, ?) as n (op_index, entity_id, version, head)
        cross join lateral (
          select y.data from entity_version y
          where y.repo_id = ? and y.entity_id = n.entity_id and y.version = n.version
          offset 0) v
        where exists (select from wanted)
        returning %1$d + octet_length(body) as bytes),
      made as (
        insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id,
                                source_repo_id, source_seq, matched, envelope, executor_kind,
                                target, trace_id, depth, status, max_attempts, due_at, created_at,
                                updated_at)
        select n.repo_id, n.id, n.subscription_id, n.name, ?, ?, ?, n.matched::int[], n.envelope,
               n.executor_kind, n.target, ?, ?, 'pending', ?,
               now() + make_interval(secs => ? / 1000.0), date_trunc('milliseconds', now()),
               date_trunc('milliseconds', now())
        from wanted n
        returning repo_id, %2$s as bytes),
      counted as (
        update repository_head h
        set stored_bytes = stored_bytes
          + (select coalesce(sum(bytes), 0) from kept)
          + (select coalesce(sum(bytes), 0) from made where repo_id = h.repo_id)
        where h.repo_id = ?)
      select m.repo_id, m.bytes, m.runs, pg_notify('cairn_runs', m.repo_id::text)
      from (
        select repo_id, sum(bytes)::bigint as bytes, count(*)::int as runs
        from made group by repo_id) m
      """
          .formatted(StoredBytes.ROW, RUN_BYTES, AutomaticPauses.ACCESS_LOST);

  private final Database database;
  private final Watchers watchers;
  private final AutomaticPauses pauses;
  private final ActionMetrics metrics;
  private final RetrySchedule schedule;
  private final int maxAttempts;

  private record Trace(UUID id, int depth, boolean isNew) {
    static Trace of(RepositoryAccess access) {
      return access.account().token() instanceof Caller.ServiceToken token
          ? new Trace(token.traceId(), token.depth() + 1, false)
          : new Trace(Ids.next(), 1, true);
    }
  }

  private record NewRun(UUID id, Watcher watcher, int[] matched, String envelope) {}

  Outbox(
      Database database,
      Watchers watchers,
      AutomaticPauses pauses,
      ActionMetrics metrics,
      RetrySchedule schedule,
      CairnConfig config) {
    this.database = database;
    this.watchers = watchers;
    this.pauses = pauses;
    this.metrics = metrics;
    this.schedule = schedule;
    this.maxAttempts = config.retry().maxAttempts();
  }

  /**
   * Finds the subscriptions that a commit concerns; the reaction makes their runs.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if matching takes more than a commit may
   */
  @Override
  public Optional<Reaction> planned(
      RepositoryAccess access, long version, List<CommittedOperation> operations) {
    if (version == 0) {
      return Optional.empty();
    }
    var matches = watchers.of(access.repoId(), version).match(operations);
    return matches.isEmpty()
        ? Optional.empty()
        : Optional.of(commit -> makeRuns(access, commit, operations, matches));
  }

  private void makeRuns(
      RepositoryAccess access,
      Commit commit,
      List<CommittedOperation> operations,
      List<Watchers.Match> matches) {
    var trace = Trace.of(access);
    if (trace.depth() > MAX_DEPTH) {
      metrics.suppressedByDepth();
      return;
    }
    var again = trace.isNew() ? Set.<UUID>of() : ranIn(trace.id(), matches);
    var wanted = matches.stream().filter(match -> !again.contains(match.watcher().id())).toList();
    int made =
        insert(
            commit,
            trace,
            matched(operations, wanted),
            wanted,
            match -> run(access, commit, trace, match));
    if (made < wanted.size()) {
      pauses.pauseForLostAccess(
          wanted.stream()
              .map(Watchers.Match::watcher)
              .map(watcher -> new SubscriptionId(watcher.repoId(), watcher.id()))
              .toList());
    }
    metrics.made(made);
  }

  /** The operations that are matched at all. */
  private static List<CommittedOperation> matched(
      List<CommittedOperation> operations, List<Watchers.Match> matches) {
    var indexes = new BitSet();
    matches.forEach(match -> Arrays.stream(match.indexes()).forEach(indexes::set));
    return operations.stream().filter(o -> indexes.get(o.index())).toList();
  }

  /** The subscriptions that ran in a trace already and do not want to again. */
  private Set<UUID> ranIn(UUID traceId, List<Watchers.Match> matches) {
    var once =
        matches.stream()
            .map(Watchers.Match::watcher)
            .filter(watcher -> !watcher.allowTraceReentry())
            .toList();
    return new HashSet<>(
        database.list(
            """
            select n.id from unnest(?, ?) as n (repo_id, id)
            where exists (
              select from action_run x
              where x.repo_id = n.repo_id and x.subscription_id = n.id and x.trace_id = ?)
            """,
            row -> row.getObject(1, UUID.class),
            uuids(once, Watcher::repoId),
            uuids(once, Watcher::id),
            traceId));
  }

  private static NewRun run(
      RepositoryAccess access, Commit commit, Trace trace, Watchers.Match match) {
    var watcher = match.watcher();
    var id = Ids.next();
    var about =
        new Envelope.About(
            id,
            trace.id(),
            watcher.name(),
            access.org(),
            watcher.repo(),
            watcher.repoId().equals(access.repoId()) ? null : access.org() + "/" + access.repo(),
            watcher.baseUrl());
    return new NewRun(
        id, watcher, match.indexes(), Envelope.ofCommit(about, commit, match.indexes()));
  }

  /**
   * Stores the runs, in batches by the length of their envelopes.
   *
   * @param matched is stored with the first of them
   * @return how many there are
   */
  private int insert(
      Commit commit,
      Trace trace,
      List<CommittedOperation> matched,
      List<Watchers.Match> matches,
      Function<Watchers.Match, NewRun> run) {
    // The repository that is committed to has its head locked, and counts there.
    var elsewhere = new HashMap<UUID, Long>();
    int made = 0;
    var batch = new ArrayList<NewRun>();
    int length = 0;
    for (var match : matches) {
      batch.add(run.apply(match));
      length += batch.getLast().envelope().length();
      if (length >= BATCH_CHARACTERS) {
        made += insertBatch(commit, trace, made == 0 ? matched : List.of(), batch, elsewhere);
        batch.clear();
        length = 0;
      }
    }
    if (!batch.isEmpty()) {
      made += insertBatch(commit, trace, made == 0 ? matched : List.of(), batch, elsewhere);
    }
    StoredBytes.count(database, elsewhere);
    return made;
  }

  /**
   * Stores a batch of runs.
   *
   * @param kept the matched operations if they are not stored yet, otherwise none
   * @param elsewhere takes what other repositories store
   * @return how many were stored
   */
  private int insertBatch(
      Commit commit,
      Trace trace,
      List<CommittedOperation> kept,
      List<NewRun> runs,
      Map<UUID, Long> elsewhere) {
    var made = new AtomicInteger();
    database.each(
        INSERT,
        0,
        row -> {
          made.addAndGet(row.getInt(3));
          var repoId = row.getObject(1, UUID.class);
          if (!repoId.equals(commit.repoId())) {
            elsewhere.merge(repoId, row.getLong(2), Long::sum);
          }
          return true;
        },
        uuids(runs, run -> run.watcher().repoId()),
        uuids(runs, NewRun::id),
        uuids(runs, run -> run.watcher().id()),
        texts(runs, run -> run.watcher().name()),
        texts(runs, run -> array(run.matched())),
        texts(runs, NewRun::envelope),
        texts(runs, run -> run.watcher().executorKind()),
        texts(runs, run -> run.watcher().target()),
        commit.repoId(),
        commit.seq(),
        kept.stream().mapToInt(CommittedOperation::index).toArray(),
        kept.stream().mapToLong(CommittedOperation::entityId).toArray(),
        kept.stream().mapToInt(CommittedOperation::version).toArray(),
        kept.stream().map(Outbox::head).toArray(String[]::new),
        commit.repoId(),
        commit.commitId(),
        commit.repoId(),
        commit.seq(),
        trace.id(),
        trace.depth(),
        maxAttempts,
        schedule.first().toMillis(),
        commit.repoId());
    return made.get();
  }

  /** An array as PostgreSQL reads it. */
  private static String array(int[] values) {
    return Arrays.stream(values)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** The text before the payload of a matched operation. */
  private static String head(CommittedOperation operation) {
    var out = new JsonOut().object();
    out.name("index").value(operation.index());
    out.name("operation").value(operation.operation());
    out.name("kind").value(operation.kind().wire());
    out.name("wref").value(operation.wref());
    out.name("name").value(operation.name());
    out.name("shapeName").value(operation.shapeName());
    out.name("version").value(operation.version());
    if (operation.aboutWref() != null) {
      out.name("aboutWref").value(operation.aboutWref());
    }
    out.name("data");
    return new String(out.toBytes(), StandardCharsets.UTF_8);
  }

  private static <T> UUID[] uuids(List<T> items, Function<T, UUID> value) {
    return items.stream().map(value).toArray(UUID[]::new);
  }

  private static <T> String[] texts(List<T> items, Function<T, String> value) {
    return items.stream().map(value).toArray(String[]::new);
  }
}

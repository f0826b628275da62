package dev.cairn.action;

import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.CommitListener;
import dev.cairn.commit.CommittedOperation;
import dev.cairn.content.ByKey;
import dev.cairn.content.Commit;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.content.StoredText;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Columns;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  /**
   * The bytes that a row of {@code action_run} adds to its repository, as an expression of SQL. The
   * row of a call of the notification URL is a part of the run that it tells of; its texts are not.
   */
  static final String RUN_BYTES =
      """
      (case when executor_kind <> '%s' then %d::bigint * (1 + brought_back) else 0 end
       + octet_length(envelope) + 4 * cardinality(matched)
       + coalesce(octet_length(last_error_message), 0))
      """
          .formatted(Notices.KIND, StoredBytes.RUN);

  /**
   * The payload is copied within the database, without the marks of its references. A subscription
   * that was paused since its watcher was cached gets no run, nor does one whose principal may not
   * read what it watches. A pause waits for a commit that has locked the subscription, so a commit
   * after the pause makes no run.
   */
  private static final String INSERT =
      """
      with wanted as materialized (
        select n.* from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (repo_id, id, subscription_id, name, matched, envelope, executor_kind, target, seq,
                commit_id, trace_id, depth)
        cross join lateral (
          select 1 from subscription s
          join repository watched on watched.id = s.source_repo_id
          join repository own on own.id = s.repo_id
          where s.repo_id = n.repo_id and s.id = n.subscription_id and s.active
            and not (%3$s)
          offset 0
          for share of s) s),
      kept as (
        insert into matched_operation (repo_id, seq, op_index, body)
        select ?, n.seq, n.op_index, convert_to(n.head || %4$s || '}', 'UTF8')
        from unnest(?, ?, ?, ?, ?) as n (seq, op_index, entity_id, version, head)
        cross join lateral %5$s v
        where n.seq = any (array(select distinct seq from wanted))
        returning %1$d + octet_length(body) as bytes),
      made as (
        insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id,
                                source_repo_id, source_seq, matched, envelope, executor_kind,
                                target, trace_id, depth, status, max_attempts, due_at, created_at,
                                updated_at)
        select n.repo_id, n.id, n.subscription_id, n.name, n.commit_id, ?, n.seq,
               n.matched::int[], n.envelope, n.executor_kind, n.target, n.trace_id, n.depth,
               'pending', ?, now() + make_interval(secs => ? / 1000.0),
               date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
        from wanted n
        returning repo_id, source_seq, %2$s as bytes),
      counted as (%6$s)
      select m.repo_id, m.seq, m.bytes, m.runs, pg_notify('cairn_runs', m.repo_id::text)
      from (
        select repo_id, source_seq as seq, sum(bytes)::bigint as bytes, count(*)::int as runs
        from made group by repo_id, source_seq) m
      """
          .formatted(
              StoredBytes.ROW,
              RUN_BYTES,
              AutomaticPauses.ACCESS_LOST,
              StoredText.plain("v.data"),
              ByKey.version("?", "n.entity_id", "n.version"),
              StoredBytes.addToHead(
                  """
                  (select coalesce(sum(bytes), 0) from kept)
                    + (select coalesce(sum(bytes), 0) from made where repo_id = h.repo_id)
                  """));

  private final Database database;
  private final RepositoryHeads heads;
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

  /** Stores operations that are matched, of a commit whose runs are made when all are written. */
  private static final String KEEP =
      """
      with kept as (
        insert into matched_operation (repo_id, seq, op_index, body)
        select ?, ?, n.op_index, convert_to(n.head || %2$s || '}', 'UTF8')
        from unnest(?, ?, ?, ?) as n (op_index, entity_id, version, head)
        cross join lateral %3$s v
        returning %1$d + octet_length(body) as bytes)
      """
              .formatted(
                  StoredBytes.ROW,
                  StoredText.plain("v.data"),
                  ByKey.version("?", "n.entity_id", "n.version"))
          + StoredBytes.addToHead("(select coalesce(sum(bytes), 0) from kept)");

  /** Deletes the operations of a commit that has no runs after all. */
  private static final String DROP =
      """
      with dropped as (
        delete from matched_operation
        where repo_id = ? and seq = ? and op_index >= ? and op_index < ? and not exists (
          select from action_run r where r.source_repo_id = ? and r.source_seq = ?)
        returning %d + octet_length(body) as bytes)
      """
              .formatted(StoredBytes.ROW)
          + StoredBytes.addToHead("(select -coalesce(sum(bytes), 0) from dropped)");

  /** Operations of a commit that are deleted at a time. */
  private static final int MAX_DROPPED = 20_000;

  /** How often the operations of one commit may match, each counted for each subscription. */
  private static final int MAX_MATCHES = 4_000_000;

  /** A commit that has runs. */
  private record Source(
      RepositoryAccess access, Commit commit, Trace trace, List<CommittedOperation> matched) {}

  private record NewRun(Source source, UUID id, Watcher watcher, int[] matched, String envelope) {
    static NewRun of(Source source, Watchers.Match match) {
      var access = source.access();
      var watcher = match.watcher();
      var id = Ids.next();
      var about =
          new Envelope.About(
              id,
              source.trace().id(),
              watcher.name(),
              access.org(),
              watcher.repo(),
              watcher.repoId().equals(access.repoId()) ? null : access.org() + "/" + access.repo(),
              watcher.baseUrl());
      var envelope = Envelope.ofCommit(about, source.commit(), match.indexes());
      return new NewRun(source, id, watcher, match.indexes(), envelope);
    }
  }

  Outbox(
      Database database,
      RepositoryHeads heads,
      Watchers watchers,
      AutomaticPauses pauses,
      ActionMetrics metrics,
      RetrySchedule schedule,
      CairnConfig config) {
    this.database = database;
    this.heads = heads;
    this.watchers = watchers;
    this.pauses = pauses;
    this.metrics = metrics;
    this.schedule = schedule;
    this.maxAttempts = config.retry().maxAttempts();
  }

  @Override
  public Reactions begin() {
    return new NewRuns();
  }

  /** The runs of the commits of one transaction, stored in batches by their envelopes' length. */
  private final class NewRuns implements Reactions {
    private final List<NewRun> batch = new ArrayList<>();
    private int length;

    /** The commits of the batch whose matched operations are not stored. */
    private final Map<Long, Source> unstored = new LinkedHashMap<>();

    private final Set<SubscriptionId> subscriptions = new LinkedHashSet<>();

    /** The repository that is committed to, which has its head locked. */
    private UUID repoId;

    /** The bytes in other repositories. */
    private final Map<UUID, Long> elsewhere = new HashMap<>();

    private int wanted;
    private int made;

    /** The commits whose matched operations were stored before their runs. */
    private final List<InParts> inParts = new ArrayList<>();

    @Override
    public Optional<Reaction> begin(RepositoryAccess access, long version) {
      repoId = access.repoId();
      return version == 0 ? Optional.empty() : Optional.of(new Matching(this, access, version));
    }

    /**
     * Makes the runs of a commit.
     *
     * @param operations those of which the matched ones are not stored
     */
    private void add(
        RepositoryAccess access,
        Commit commit,
        List<CommittedOperation> operations,
        List<Watchers.Match> matches) {
      var trace = Trace.of(access);
      if (trace.depth() > MAX_DEPTH) {
        metrics.suppressedByDepth();
        return;
      }
      var remaining = trace.isNew() ? matches : withoutReentry(trace.id(), matches);
      var source = new Source(access, commit, trace, matched(operations, remaining));
      unstored.put(commit.seq(), source);
      for (var match : remaining) {
        var run = NewRun.of(source, match);
        subscriptions.add(new SubscriptionId(run.watcher().repoId(), run.watcher().id()));
        batch.add(run);
        length += run.envelope().length();
        if (length >= BATCH_CHARACTERS) {
          storeBatch();
        }
      }
      wanted += remaining.size();
    }

    /** Without the subscriptions that may run only once in a trace, and have run or will run. */
    private List<Watchers.Match> withoutReentry(UUID traceId, List<Watchers.Match> matches) {
      var ran = ranIn(traceId, matches);
      batch.stream()
          .filter(run -> run.source().trace().id().equals(traceId))
          .filter(run -> !run.watcher().allowTraceReentry())
          .forEach(run -> ran.add(run.watcher().id()));
      return matches.stream().filter(match -> !ran.contains(match.watcher().id())).toList();
    }

    @Override
    public void finish() {
      if (!batch.isEmpty()) {
        storeBatch();
      }
      inParts.forEach(this::drop);
      StoredBytes.count(database, elsewhere);
      if (made < wanted) {
        pauses.pauseForLostAccess(List.copyOf(subscriptions));
        // What is cached may name some that were paused before.
        heads.raiseFreeWatchers(Set.of(repoId));
      }
      metrics.made(made);
    }

    private void drop(InParts stored) {
      long seq = stored.commit().seq();
      for (int from = 0; from <= stored.lastIndex(); from += MAX_DROPPED) {
        database.update(DROP, repoId, seq, from, from + MAX_DROPPED, repoId, seq, repoId);
      }
    }

    private void storeBatch() {
      // The order in which their subscriptions are locked; the runs have their ids already.
      batch.sort(Comparator.comparing(run -> run.watcher().id().toString()));
      database.each(
          INSERT,
          0,
          row -> {
            made += row.getInt("runs");
            unstored.remove(row.getLong("seq"));
            var other = row.getObject("repo_id", UUID.class);
            if (!other.equals(repoId)) {
              elsewhere.merge(other, row.getLong("bytes"), Long::sum);
            }
            return true;
          },
          parameters());
      batch.clear();
      length = 0;
    }

    private Object[] parameters() {
      var operations =
          unstored.values().stream()
              .flatMap(source -> source.matched().stream().map(o -> new Matched(source, o)))
              .toList();
      return new Object[] {
        Columns.uuids(batch, run -> run.watcher().repoId()),
        Columns.uuids(batch, NewRun::id),
        Columns.uuids(batch, run -> run.watcher().id()),
        Columns.strings(batch, run -> run.watcher().name()),
        Columns.strings(batch, run -> array(run.matched())),
        Columns.strings(batch, NewRun::envelope),
        Columns.strings(batch, run -> run.watcher().executorKind()),
        Columns.strings(batch, run -> run.watcher().target()),
        Columns.longs(batch, run -> run.source().commit().seq()),
        Columns.strings(batch, run -> run.source().commit().commitId()),
        Columns.uuids(batch, run -> run.source().trace().id()),
        Columns.ints(batch, run -> run.source().trace().depth()),
        repoId,
        Columns.longs(operations, o -> o.source().commit().seq()),
        Columns.ints(operations, o -> o.operation().index()),
        Columns.longs(operations, o -> o.operation().entityId()),
        Columns.ints(operations, o -> o.operation().version()),
        Columns.strings(operations, o -> head(o.operation())),
        repoId,
        repoId,
        maxAttempts,
        schedule.first().toMillis(),
        repoId
      };
    }
  }

  /** Finds the subscriptions that a commit concerns, which may come in parts. */
  private final class Matching implements CommitListener.Reaction {
    private final NewRuns runs;
    private final RepositoryAccess access;
    private final long version;
    private Watchers.Compiled compiled;

    /** The indexes of the operations that match, by watchers. */
    private final IdentityHashMap<Watcher, IntStream.Builder> indexes = new IdentityHashMap<>();

    private final Allowance left = new Allowance(MAX_MATCHES);

    /** Of the last part, those that match any watcher. */
    private List<CommittedOperation> unstored = List.of();

    private boolean isInParts;

    /** The largest index of an operation whose match was stored in a part. */
    private int lastIndex;

    /**
     * Begins with the watchers of the repository.
     *
     * @param version as in {@link Watchers#of}
     */
    Matching(NewRuns runs, RepositoryAccess access, long version) {
      this.runs = runs;
      this.access = access;
      this.version = version;
      this.compiled = watchers.of(access.repoId(), version);
    }

    /**
     * Finds the subscriptions.
     *
     * @throws Problem {@code PAYLOAD_TOO_LARGE} if matching takes more than a commit may
     */
    @Override
    public void planned(List<CommittedOperation> operations) {
      var matches = matches(operations);
      unstored = matched(operations, matches);
      for (var match : matches) {
        if (!left.take(match.indexes().length)) {
          watchers.forget(access.repoId());
          throw Problem.of(
                  ErrorCode.PAYLOAD_TOO_LARGE,
                  "The operations of this commit match subscriptions more than %,d times."
                      .formatted(MAX_MATCHES))
              .at("/operations")
              .hint("Send fewer operations at once, or pause subscriptions.");
        }
        var all = indexes.computeIfAbsent(match.watcher(), _ -> IntStream.builder());
        Arrays.stream(match.indexes()).forEach(all::add);
      }
    }

    private List<Watchers.Match> matches(List<CommittedOperation> operations) {
      try {
        return compiled.match(operations);
      } catch (Problem e) {
        // What is cached may name some that were paused since, whose matches must refuse nothing.
        if (!indexes.isEmpty()) {
          watchers.forget(access.repoId());
          throw e;
        }
        compiled = watchers.reread(access.repoId(), version);
        return compiled.match(operations);
      }
    }

    @Override
    public void written(long seq) {
      if (!unstored.isEmpty()) {
        isInParts = true;
        unstored.forEach(one -> lastIndex = Math.max(lastIndex, one.index()));
        database.update(
            KEEP,
            access.repoId(),
            seq,
            Columns.ints(unstored, CommittedOperation::index),
            Columns.longs(unstored, CommittedOperation::entityId),
            Columns.ints(unstored, CommittedOperation::version),
            Columns.strings(unstored, Outbox::head),
            access.repoId(),
            access.repoId());
        unstored = List.of();
      }
    }

    @Override
    public void committed(Commit commit) {
      if (isInParts) {
        runs.inParts.add(new InParts(commit, lastIndex));
      }
      if (!indexes.isEmpty()) {
        var matches =
            indexes.entrySet().stream()
                .map(one -> new Watchers.Match(one.getKey(), one.getValue().build().toArray()))
                // In the order of their creation, whichever part they matched first.
                .sorted(Comparator.comparing(match -> match.watcher().id().toString()))
                .toList();
        runs.add(access, commit, unstored, matches);
      }
    }
  }

  /**
   * A commit whose matched operations were stored before its runs.
   *
   * @param lastIndex of these operations
   */
  private record InParts(Commit commit, int lastIndex) {}

  /** A matched operation with its commit. */
  private record Matched(Source source, CommittedOperation operation) {}

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
            Columns.uuids(once, Watcher::repoId),
            Columns.uuids(once, Watcher::id),
            traceId));
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
}

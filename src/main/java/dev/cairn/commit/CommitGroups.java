package dev.cairn.commit;

import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.CommitLoader.Loading;
import dev.cairn.content.ContentWriter;
import dev.cairn.content.EntityName;
import dev.cairn.content.Head;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Writes commits of one repository in one transaction: the one whose turn it is, and those that
 * wait for it. All names are looked up at once, each commit is planned on the state that the ones
 * before it leave, and all rows are written at once. A commit that fails is left out; one that
 * names what an earlier one changes waits for the next turn. When the transaction fails, each
 * commit is written alone. See {@code docs/commits.md}, Commits that go together.
 */
@ApplicationScoped
class CommitGroups {
  /** After so long, no further commit of a group is planned. */
  private static final long MAX_PLANNING_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Database database;
  private final RepositoryHeads heads;
  private final CommitLoader loader;
  private final CommitWriter writer;
  private final IdempotencyKeys keys;
  private final CommitLimiter limiter;
  private final List<CommitListener> listeners;
  private final CommitMetrics metrics;
  private final StoredBytes storedBytes;
  private final RenameBudget renameBudget;
  private final Recheck recheck;

  /** Thrown if not all commits of a group can be written. */
  private static final class GroupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GroupException() {
      super("not all commits of the group are allowed any longer", null, false, false);
    }
  }

  CommitGroups(
      Database database,
      RepositoryHeads heads,
      CommitLoader loader,
      CommitWriter writer,
      IdempotencyKeys keys,
      CommitLimiter limiter,
      @All List<CommitListener> listeners,
      CommitMetrics metrics,
      StoredBytes storedBytes,
      RenameBudget renameBudget,
      Recheck recheck) {
    this.database = database;
    this.heads = heads;
    this.loader = loader;
    this.writer = writer;
    this.keys = keys;
    this.limiter = limiter;
    this.listeners = listeners;
    this.metrics = metrics;
    this.storedBytes = storedBytes;
    this.renameBudget = renameBudget;
    this.recheck = recheck;
  }

  /**
   * Writes a commit whose turn it is, and ends those that it takes along.
   *
   * @return its answer
   */
  CommitAnswer write(PendingCommit leader) {
    leader.parse();
    var group = new CommitGroup(leader);
    try {
      database.transaction(
          () -> {
            group.begin();
            write(group);
            group.written();
            return true;
          });
      group.committed();
    } catch (RuntimeException e) {
      if (group.isAlone() || group.isWritten()) {
        group.failed(e);
        throw e;
      }
      leader.goAlone();
    } finally {
      limiter.putBack(leader.repoId(), group.dismiss());
    }
    return group.isCommitted() ? group.outcome(leader).get() : write(leader);
  }

  private void write(CommitGroup group) {
    var leader = group.leader();
    var now = Instant.now();
    // Before the lock, so that a repeated request does not wait for it.
    group.settle(leader, () -> replay(leader, now));
    if (!group.isOpen(leader)) {
      return;
    }
    var lookUp = new StatementBatch();
    var loading = loader.begin(leader, lookUp);
    var locked = heads.lockForCommit(leader.repoId(), lookUp);
    metrics.locked(leader.sinceNanos());
    if (leader.mayJoin() && group.isAlone()) {
      group.add(limiter.take(leader.repoId()));
    }
    for (var follower : group.followers()) {
      metrics.locked(follower.sinceNanos());
      group.settle(follower, () -> replay(follower, now));
    }
    var planned = plan(group, loading, locked, now);
    if (!planned.isEmpty()) {
      write(group, planned);
      for (var one : planned) {
        keep(one.pending(), one.answer(), now);
        group.settle(one.pending(), () -> Optional.of(one.answer()));
      }
    }
  }

  /** The answer that was given with the idempotency key before, if it was. */
  private Optional<CommitAnswer> replay(PendingCommit commit, Instant now) {
    if (commit.key().isEmpty()) {
      return Optional.empty();
    }
    var access = commit.access();
    var stored = keys.replay(access, commit.key().get(), commit.bodyHash(), now);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    recheck(access);
    return Optional.of(
        new CommitAnswer(
            CommitAnswer.Outcome.REPLAYED, stored.get().status(), stored.get().json()));
  }

  /** Keeps an answer for its idempotency key, if it has one. */
  private void keep(PendingCommit commit, CommitAnswer answer, Instant now) {
    if (commit.key().isPresent()) {
      storedBytes.requireRoom(commit.access().orgId(), answer.json().length());
      var kept = new IdempotencyKeys.Answer(answer.status(), answer.json());
      keys.keep(commit.access(), commit.key().get(), commit.bodyHash(), kept, now);
    }
  }

  /** Plans the open commits, until one names what an earlier one changes: the rest stays open. */
  private List<PlannedCommit> plan(CommitGroup group, Loading leading, Head locked, Instant now) {
    var open = group.open();
    var loaded = loader.load(leading, open.subList(1, open.size()));
    var planned = new ArrayList<PlannedCommit>();
    var changed = new HashSet<EntityName>();
    var head = locked;
    long begun = System.nanoTime();
    for (int i = 0; i < open.size(); i++) {
      var commit = open.get(i);
      var start = loaded.get(i);
      // Each may take seconds, while those of other replicas wait.
      boolean isLate = i > 0 && System.nanoTime() - begun > MAX_PLANNING_NANOS;
      if (isLate || changed.stream().anyMatch(start.names()::contains)) {
        break;
      }
      var before = head;
      var one = new ArrayList<PlannedCommit>();
      group.settle(commit, () -> planned(commit, start, before, now, one));
      for (var next : one) {
        head = next.headAfter(head.watchers());
        changed.addAll(next.plan().changed());
        planned.add(next);
      }
    }
    return planned;
  }

  /**
   * Plans a commit.
   *
   * @param planned takes the commit, if it is to be written
   * @return the answer if nothing is to be written
   */
  private Optional<CommitAnswer> planned(
      PendingCommit commit, Loading loaded, Head head, Instant now, List<PlannedCommit> planned) {
    var access = commit.access();
    var request = commit.request();
    requirePrecondition(commit, head);
    var plan = plan(loaded, head);
    boolean fails = request.atomic() && plan.hasErrors();
    if (fails || request.dryRun() || plan.isEmpty()) {
      recheck(access);
    }
    if (fails) {
      throw plan.failure();
    }
    if (access.archived()) {
      throw ContentWriter.archived();
    }
    if (plan.isEmpty()) {
      var answer = CommitAnswer.withoutCommit(plan, commit.maxAnswerLength());
      keep(commit, answer, now);
      return Optional.of(answer);
    }
    var operations = plan.committed();
    var reactions =
        listeners.stream()
            .flatMap(listener -> listener.planned(access, head.watchers(), operations).stream())
            .toList();
    // The writer counts exactly, but only after renames have been charged to their budget.
    if (request.dryRun() || !plan.renames.isEmpty()) {
      storedBytes.requireRoom(access.orgId(), plan.bytes());
    }
    if (request.dryRun()) {
      renameBudget.check(access, plan.storedRenames());
      return Optional.of(CommitAnswer.withoutCommit(plan, commit.maxAnswerLength()));
    }
    planned.add(PlannedCommit.of(commit, plan, head, reactions));
    return Optional.empty();
  }

  private void requirePrecondition(PendingCommit commit, Head head) {
    try {
      commit.requirePrecondition(head.seq());
    } catch (Problem e) {
      recheck(commit.access());
      throw e;
    }
  }

  /**
   * Plans, and plans again if a collection that the plan would add turns out to exist: the members
   * of a collection are known only during planning. More than two rounds can only be needed for
   * collections within collections.
   */
  private CommitPlan plan(Loading first, Head head) {
    var commit = first.commit();
    var collectionKeys = new ArrayList<byte[]>();
    var tried = new HashSet<String>();
    var loaded = first;
    while (true) {
      var admission = new Admission(commit.access(), loaded.matching());
      var planner =
          new CommitPlanner(loaded.known(), commit.home(), admission, head.nextEntityId());
      var plan = planner.plan(commit.request().operations());
      var unknown =
          plan.newCollectionKeys.stream()
              .filter(key -> tried.add(HexFormat.of().formatHex(key)))
              .toList();
      if (unknown.isEmpty() || !loader.anyCollection(commit.home(), unknown)) {
        return plan;
      }
      collectionKeys.addAll(unknown);
      loaded = loader.loadAgain(loaded, collectionKeys);
    }
  }

  private void write(CommitGroup group, List<PlannedCommit> planned) {
    var access = planned.getFirst().pending().access();
    for (var one : planned) {
      renameBudget.take(one.pending().access(), one.plan().storedRenames());
    }
    if (!writer.write(access.orgId(), planned)) {
      if (!group.isAlone()) {
        throw new GroupException();
      }
      recheck(access);
      throw ContentWriter.archived();
    }
    for (var one : planned) {
      one.reactions().forEach(reaction -> reaction.written(one.commit()));
    }
    metrics.written(planned);
  }

  /**
   * Checks the caller's rights again before an answer that reveals the state of the repository and
   * writes nothing. A write checks them again itself, in its own statement.
   */
  private void recheck(RepositoryAccess access) {
    recheck.requireStill(access, REPO_WRITE);
  }
}

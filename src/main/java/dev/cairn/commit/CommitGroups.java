package dev.cairn.commit;

import dev.cairn.access.Archived;
import dev.cairn.access.Permission;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.commit.CommitSteps.Listening;
import dev.cairn.commit.CommitSteps.Locked;
import dev.cairn.content.Head;
import dev.cairn.content.write.CountChanges;
import dev.cairn.content.write.EntityName;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
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
  private final CommitSteps steps;
  private final IdempotencyKeys keys;
  private final CommitLimiter limiter;
  private final CommitMetrics metrics;

  /** What comes of planning a commit. */
  private sealed interface Planned {
    /** There is nothing to write. */
    record Answered(CommitAnswer answer) implements Planned {}

    record ToWrite(PlannedCommit commit) implements Planned {}
  }

  /** Thrown if not all commits of a group can be written. */
  private static final class GroupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GroupException() {
      super("not all commits of the group are allowed any longer", null, false, false);
    }
  }

  CommitGroups(
      Database database,
      CommitSteps steps,
      IdempotencyKeys keys,
      CommitLimiter limiter,
      CommitMetrics metrics) {
    this.database = database;
    this.steps = steps;
    this.keys = keys;
    this.limiter = limiter;
    this.metrics = metrics;
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
            group.reset();
            writeInTransaction(group);
            group.committing();
            return true;
          });
      group.committed();
    } catch (RuntimeException e) {
      if (group.isAlone() || group.isCommitting()) {
        group.fail(e);
        throw e;
      }
      leader.goAlone();
    } finally {
      group.releaseRooms();
      limiter.putBack(leader.repoId(), group.releaseFollowers());
    }
    return group.isCommitted() ? group.outcome(leader).get() : write(leader);
  }

  private void writeInTransaction(CommitGroup group) {
    var leader = group.leader();
    var now = Instant.now();
    // Before the lock, so that a repeated request does not wait for it.
    replay(group, leader, now);
    if (!group.isUndecided(leader)) {
      return;
    }
    var locked = steps.lock(leader);
    metrics.locked(leader.sinceNanos());
    if (leader.mayJoin() && group.isAlone()) {
      group.add(limiter.take(leader.repoId()));
    }
    for (var follower : group.followers()) {
      metrics.locked(follower.sinceNanos());
      replay(group, follower, now);
    }
    var listening = steps.listen();
    var planned = planGroup(group, locked, listening, now);
    if (!planned.isEmpty()) {
      write(group, planned);
      steps.finish(listening, leader.repoId(), planned.getLast().commit().seq());
      metrics.written(planned);
      for (var one : planned) {
        keep(one.pending(), one.answer(), now);
        one.pending().written(one.plan(), one.commit());
        group.answer(one.pending(), one.answer());
      }
    }
  }

  /** Answers a commit as before, if its idempotency key was used before. */
  private void replay(CommitGroup group, PendingCommit commit, Instant now) {
    group
        .attempt(commit, () -> commit.key().flatMap(key -> replayed(commit, key, now)))
        .flatMap(answer -> answer)
        .ifPresent(answer -> group.answer(commit, answer));
  }

  private Optional<CommitAnswer> replayed(PendingCommit commit, String key, Instant now) {
    var stored =
        keys.replay(
            commit.access(), key, commit.bodyHash(), now, bytes -> commit.room().addAnswer(bytes));
    if (stored.isPresent()) {
      // Also if the repository is archived by now.
      var _ = steps.recheck(commit.access());
    }
    return stored.map(
        answer -> new CommitAnswer(CommitAnswer.Outcome.REPLAYED, answer.status(), answer.json()));
  }

  /** Keeps an answer for its idempotency key, if it has one. */
  private void keep(PendingCommit commit, CommitAnswer answer, Instant now) {
    if (commit.key().isPresent()) {
      steps.requireRoom(commit.access().orgId(), answer.json().length());
      var kept = new IdempotencyKeys.Answer(answer.status(), answer.json());
      keys.keep(commit.access(), commit.key().get(), commit.bodyHash(), kept, now);
    }
  }

  /**
   * Plans the undecided commits, up to the first one that names what an earlier one changes: it and
   * the rest stay undecided.
   *
   * @return those that are to be written
   */
  private List<PlannedCommit> planGroup(
      CommitGroup group, Locked locked, Listening listening, Instant now) {
    var commits = group.undecided();
    var leading = locked.loading();
    var loaded = steps.load(leading, commits.subList(1, commits.size()));
    var planned = new ArrayList<PlannedCommit>();
    var changed = new HashSet<EntityName>();
    var head = locked.head();
    long begun = System.nanoTime();
    for (var loading : loaded) {
      // Each may take seconds, while those of other replicas wait.
      boolean isLate = loading != leading && System.nanoTime() - begun > MAX_PLANNING_NANOS;
      if (isLate || loading.namesAnyOf(changed)) {
        break;
      }
      var commit = loading.commit();
      var before = head;
      var result = group.attempt(commit, () -> plan(loading, before, listening, now));
      switch (result.orElse(null)) {
        case null -> {}
        case Planned.Answered(var answer) -> group.answer(commit, answer);
        case Planned.ToWrite(var next) -> {
          planned.add(next);
          changed.addAll(next.plan().changed());
          head = next.headAfter(before);
        }
      }
    }
    return planned;
  }

  private Planned plan(LoadingCommit loaded, Head head, Listening listening, Instant now) {
    var commit = loaded.commit();
    var access = commit.access();
    var request = commit.request();
    requirePrecondition(commit, head);
    var plan = steps.plan(loaded, head.nextEntityId());
    boolean fails = request.atomic() && plan.hasErrors();
    boolean writesNothing = fails || request.dryRun() || plan.isEmpty();
    boolean isArchived = steps.recheckBeforeLog(access, writesNothing);
    if (fails) {
      throw plan.failure(request.operations());
    }
    if (isArchived) {
      throw Archived.repository();
    }
    steps.explain(plan, access);
    if (plan.isEmpty()) {
      var answer = withoutCommit(commit, plan);
      keep(commit, answer, now);
      commit.written(plan, null);
      return new Planned.Answered(answer);
    }
    var operations = plan.committed();
    var reactions = listening.begin(access, head);
    reactions.forEach(reaction -> reaction.planned(operations));
    // The writer counts exactly, but only after renames have been charged to their budget. Dry runs
    // do not look at that budget, and those of a caller that does not read everything not at the
    // quota either: repeated for nothing, they would measure what is stored.
    boolean isEstimated =
        request.dryRun() ? access.allows(Permission.REPO_READ) : !plan.renames.isEmpty();
    if (isEstimated) {
      steps.requireRoom(access.orgId(), plan.bytes());
    }
    if (request.dryRun()) {
      return new Planned.Answered(withoutCommit(commit, plan));
    }
    return new Planned.ToWrite(PlannedCommit.of(commit, plan, head, reactions));
  }

  private static CommitAnswer withoutCommit(PendingCommit commit, CommitPlan plan) {
    return commit.answer(plan, null);
  }

  private void requirePrecondition(PendingCommit commit, Head head) {
    try {
      commit.requirePrecondition(head.seq());
    } catch (Problem e) {
      var _ = steps.recheck(commit.access());
      throw e;
    }
  }

  private void write(CommitGroup group, List<PlannedCommit> planned) {
    var access = planned.getFirst().pending().access();
    var counts = new CountChanges();
    var parts =
        planned.stream()
            .map(one -> new CommitWriter.Part(one.plan(), one.commit().stamp()))
            .toList();
    long bytes = steps.writeRows(access, parts, counts);
    var logged = planned.stream().map(PlannedCommit::logged).toList();
    if (!steps.log(access.orgId(), logged, bytes, counts)) {
      throw group.isAlone() ? steps.refusal(access) : new GroupException();
    }
    for (var one : planned) {
      one.reactions().forEach(reaction -> reaction.committed(one.commit()));
    }
  }
}

package dev.cairn.commit;

import dev.cairn.access.Caller;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.References.Home;
import dev.cairn.content.Commit;
import dev.cairn.content.ContentWriter;
import dev.cairn.content.Head;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.BodyMemory;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** Commits batches of operations; see {@code docs/commits.md} for requests and answers. */
@ApplicationScoped
public class CommitService {
  private final Database database;
  private final RepositoryHeads heads;
  private final CommitLoader loader;
  private final CommitWriter writer;
  private final IdempotencyKeys keys;
  private final CommitLimiter limiter;
  private final BodyMemory memory;
  private final List<CommitListener> listeners;
  private final CommitMetrics metrics;
  private final StoredBytes storedBytes;
  private final RenameBudget renameBudget;
  private final Recheck recheck;

  CommitService(
      Database database,
      RepositoryHeads heads,
      CommitLoader loader,
      CommitWriter writer,
      IdempotencyKeys keys,
      CommitLimiter limiter,
      BodyMemory memory,
      @All List<CommitListener> listeners,
      CommitMetrics metrics,
      StoredBytes storedBytes,
      RenameBudget renameBudget,
      Recheck recheck) {
    this.database = database;
    this.listeners = listeners;
    this.metrics = metrics;
    this.storedBytes = storedBytes;
    this.renameBudget = renameBudget;
    this.recheck = recheck;
    this.limiter = limiter;
    this.memory = memory;
    this.heads = heads;
    this.loader = loader;
    this.writer = writer;
    this.keys = keys;
  }

  /** The hash of the request body that was answered with this idempotency key, if there is one. */
  public Optional<byte[]> answeredBody(RepositoryAccess access, Optional<String> idempotencyKey) {
    return idempotencyKey.flatMap(key -> keys.bodyHash(access, key, Instant.now()));
  }

  /** Whether a body is the one that was answered, so that it is a replay. */
  public static boolean isReplay(byte[] answeredBody, byte[] body) {
    try {
      return Arrays.equals(answeredBody, hash(body));
    } catch (Problem e) {
      return false;
    }
  }

  private static byte[] hash(byte[] body) {
    return CanonicalJson.hash(CanonicalJson.of(CommitRequest.tree(body)));
  }

  /**
   * Commits a batch: all of it or nothing, unless the request says {@code atomic: false}.
   *
   * @param access granted for {@code repo:write}
   * @param body the request's JSON
   * @param idempotencyKey the client's idempotency key, if it sent one
   * @param precondition tests the newest sequence number before the commit; if it is false, the
   *     commit fails with {@code PRECONDITION_FAILED}
   */
  public CommitAnswer submit(
      RepositoryAccess access,
      byte[] body,
      Optional<String> idempotencyKey,
      LongPredicate precondition) {
    long since = System.nanoTime();
    // A commit that waits for its turn uses no memory that commits to other repositories need.
    return metrics.timed(
        () ->
            limiter.call(
                access.repoId(),
                access.account().accountId(),
                () ->
                    memory.within(
                        access.account().accountId(),
                        body,
                        () -> submitted(access, body, idempotencyKey, precondition, since))));
  }

  private CommitAnswer submitted(
      RepositoryAccess access,
      byte[] body,
      Optional<String> idempotencyKey,
      LongPredicate precondition,
      long since) {
    var key = idempotencyKey.map(IdempotencyKeys::checked);
    // Hashed before the operations are parsed: the tree and the operations together would take
    // twice the memory.
    var hash = key.map(_ -> hash(body));
    var request = CommitRequest.parse(body);
    if (request.atomic()) {
      request.refuseMalformed();
    }
    long max = CommitAnswer.maxLength(body.length, request.operations().size());
    if (key.isEmpty() || request.dryRun()) {
      return database.transaction(() -> commit(access, request, max, precondition, since));
    }
    return database.transaction(
        () -> commitOnce(access, request, max, key.get(), hash.get(), precondition, since));
  }

  private CommitAnswer commitOnce(
      RepositoryAccess access,
      CommitRequest request,
      long max,
      String key,
      byte[] bodyHash,
      LongPredicate precondition,
      long since) {
    var now = Instant.now();
    var stored = keys.replay(access, key, bodyHash, now);
    if (stored.isPresent()) {
      recheck(access);
      return new CommitAnswer(
          CommitAnswer.Outcome.REPLAYED, stored.get().status(), stored.get().json());
    }
    var answer = commit(access, request, max, precondition, since);
    storedBytes.requireRoom(access.orgId(), answer.json().length());
    var kept = new IdempotencyKeys.Answer(answer.status(), answer.json());
    keys.keep(access, key, bodyHash, kept, now);
    return answer;
  }

  private CommitAnswer commit(
      RepositoryAccess access,
      CommitRequest request,
      long max,
      LongPredicate precondition,
      long since) {
    var head = heads.lockForCommit(access.repoId());
    metrics.locked(since);
    if (!precondition.test(head.seq())) {
      recheck(access);
      throw Problem.of(
          ErrorCode.PRECONDITION_FAILED,
          "`If-Match` does not match: another commit was made since that state.");
    }
    var plan = plan(access, request.operations(), head);
    boolean fails = request.atomic() && plan.hasErrors();
    if (fails || request.dryRun() || plan.isEmpty()) {
      recheck(access);
    }
    if (fails) {
      throw failure(plan);
    }
    if (access.archived()) {
      throw ContentWriter.archived();
    }
    if (plan.isEmpty()) {
      return CommitAnswer.withoutCommit(plan, max);
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
      return CommitAnswer.withoutCommit(plan, max);
    }
    var commit = commit(access, request, head, plan);
    var answer = CommitAnswer.of(commit, plan, max);
    renameBudget.take(access, plan.storedRenames());
    writer.write(access, commit, plan);
    reactions.forEach(reaction -> reaction.written(commit));
    metrics.written(plan.results.size());
    return answer;
  }

  /**
   * Checks the caller's rights again before an answer that reveals the state of the repository and
   * writes nothing. A write checks them again itself, in its own statement.
   */
  private void recheck(RepositoryAccess access) {
    recheck.requireStill(access, Permission.REPO_WRITE);
  }

  /**
   * Plans, and plans again if a collection that the plan would add turns out to exist: the members
   * of a collection are known only during planning. More than two rounds can only be needed for
   * collections within collections.
   */
  private CommitPlan plan(RepositoryAccess access, List<SubmittedOperation> operations, Head head) {
    var home = new Home(access.repoId(), access.org(), access.repo());
    var matching = MatchingBudget.ofCommit();
    var collectionKeys = new ArrayList<byte[]>();
    var tried = new HashSet<String>();
    while (true) {
      var known = loader.load(access.caller(), home, operations, collectionKeys, matching);
      var planner =
          new CommitPlanner(known, home, new Admission(access, matching), head.nextEntityId());
      var plan = planner.plan(operations);
      var unknown =
          plan.newCollectionKeys.stream()
              .filter(key -> tried.add(HexFormat.of().formatHex(key)))
              .toList();
      if (unknown.isEmpty() || !loader.anyCollection(home, unknown)) {
        return plan;
      }
      collectionKeys.addAll(unknown);
    }
  }

  private static Commit commit(
      RepositoryAccess access, CommitRequest request, Head head, CommitPlan plan) {
    var now = head.timeOfNext();
    long seq = head.seq() + 1;
    var author = request.author() == null ? name(access.caller()) : request.author();
    var hash = new CommitHash(head.hash(), access.repoId(), seq, author, request.message(), now);
    operations(plan).forEach(operation -> operation.addTo(hash));
    var value = hash.value();
    return new Commit(
        access.repoId(),
        seq,
        CommitHash.commitId(value),
        value,
        head.hash(),
        author,
        access.caller().accountIdOrNull(),
        request.message(),
        now);
  }

  /**
   * An operation in the form that is hashed.
   *
   * @param row null for a rename
   */
  private record HashedOperation(int opIndex, EntityState entity, VersionRow row) {

    void addTo(CommitHash hash) {
      if (row == null) {
        hash.rename(entity.kind.wire(), entity.local());
        return;
      }
      var about = entity.about;
      hash.version(
          row.operation(),
          entity.kind.wire(),
          entity.local(),
          row.version(),
          row.active(),
          about == null ? "" : CommitHash.about(about.repoId(), about.id(), about.version()),
          row.dataHash());
    }
  }

  private static List<HashedOperation> operations(CommitPlan plan) {
    var operations = new ArrayList<HashedOperation>();
    for (var row : plan.versions) {
      operations.add(new HashedOperation(row.opIndex(), row.entity(), row));
    }
    for (var rename : plan.renames) {
      operations.add(new HashedOperation(rename.opIndex(), rename.entity(), null));
    }
    operations.sort(
        Comparator.comparingInt(HashedOperation::opIndex).thenComparing(o -> o.entity().id));
    return operations;
  }

  private static String name(Caller caller) {
    return switch (caller) {
      case Caller.SignedIn account -> account.displayName();
      case Caller.Anonymous _ ->
          throw new IllegalStateException("an anonymous caller cannot write");
    };
  }

  /** The problem of an atomic commit: the first failure's code and detail, and all violations. */
  private static Problem failure(CommitPlan plan) {
    var failed =
        plan.results.stream().filter(r -> r.status() == OperationResult.Status.ERROR).toList();
    var violations = new Violations();
    for (var result : failed) {
      violations.addAll(result.problem(), "/operations/" + result.opIndex());
    }
    var first = failed.getFirst();
    var problem = violations.problem(first.problem().code());
    for (var detail : first.problem().details().entrySet()) {
      problem = problem.with(detail.getKey(), detail.getValue());
    }
    problem = problem.with("opIndex", first.opIndex());
    return first.problem().hint() == null ? problem : problem.hint(first.problem().hint());
  }
}

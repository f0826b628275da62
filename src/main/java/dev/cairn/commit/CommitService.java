package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.BodyMemory;
import dev.cairn.platform.memory.WaitingRequests;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Commits batches of operations; see {@code docs/commits.md} for requests and answers. */
@ApplicationScoped
public class CommitService {
  private final Database database;
  private final CommitGroups groups;
  private final IdempotencyKeys keys;
  private final CommitLimiter limiter;
  private final BodyMemory memory;
  private final WaitingRequests requests;
  private final CommitMetrics metrics;

  CommitService(
      Database database,
      CommitGroups groups,
      IdempotencyKeys keys,
      CommitLimiter limiter,
      BodyMemory memory,
      WaitingRequests requests,
      CommitMetrics metrics) {
    this.database = database;
    this.groups = groups;
    this.keys = keys;
    this.limiter = limiter;
    this.memory = memory;
    this.requests = requests;
    this.metrics = metrics;
  }

  /** The hash of the request body that was answered with this idempotency key, if there is one. */
  public Optional<byte[]> answeredBody(RepositoryAccess access, Optional<String> idempotencyKey) {
    return idempotencyKey.flatMap(key -> keys.bodyHash(access, key, Instant.now()));
  }

  /** Whether a body is the one that was answered, so that it is a replay. */
  public static boolean isReplay(byte[] answeredBody, byte[] body) {
    try {
      return Arrays.equals(answeredBody, PendingCommit.hash(body));
    } catch (Problem e) {
      return false;
    }
  }

  /**
   * Commits a batch: all of it or nothing, unless the request says {@code atomic: false}.
   *
   * @param access granted for {@code repo:write}
   * @param body the request's JSON
   * @param idempotencyKey the client's idempotency key, if it sent one
   * @param wanted the answer that the client wants, if it was not answered before
   * @param precondition tests the newest sequence number before the commit, on any thread; if it is
   *     false, the commit fails with {@code PRECONDITION_FAILED}
   */
  public CommitAnswer submit(
      RepositoryAccess access,
      byte[] body,
      Optional<String> idempotencyKey,
      CommitAnswer.Wanted wanted,
      LongPredicate precondition) {
    return submit(access, body, idempotencyKey, wanted, precondition, false);
  }

  /**
   * Commits a batch of the service itself on behalf of an account, which may also write {@code
   * ComponentInstall}. Only the package {@code component} calls it, with operations that it has
   * made: what a caller sends never gets here. See {@code docs/components.md}.
   *
   * @param access granted for {@code repo:write}
   * @param body the JSON of a commit
   * @param wanted the answer that is wanted
   * @param precondition as for {@link #submit}
   */
  public CommitAnswer submitInstall(
      RepositoryAccess access,
      byte[] body,
      CommitAnswer.Wanted wanted,
      LongPredicate precondition) {
    return submit(access, body, Optional.empty(), wanted, precondition, true);
  }

  private CommitAnswer submit(
      RepositoryAccess access,
      byte[] body,
      Optional<String> idempotencyKey,
      CommitAnswer.Wanted wanted,
      LongPredicate precondition,
      boolean writesInstalls) {
    return submit(
        () ->
            new PendingCommit(
                access,
                body,
                idempotencyKey,
                wanted,
                precondition,
                memory.extra(access.account().accountId(), body),
                writesInstalls));
  }

  /** Commits a batch when it is its turn. */
  CommitAnswer submit(Supplier<PendingCommit> batch) {
    return submit(
        batch,
        commit -> memory.within(commit.accountId(), commit.body(), () -> groups.write(commit)));
  }

  /**
   * Does the work of a commit when it is its turn, without a connection before.
   *
   * @param write begins the transaction
   */
  CommitAnswer submit(Supplier<PendingCommit> batch, Function<PendingCommit, CommitAnswer> write) {
    return metrics.timed(
        () -> {
          var commit = batch.get();
          // A commit that waits for its turn uses no memory that commits to other repositories
          // need.
          return requests.untilGone(
              over ->
                  limiter.call(
                      commit,
                      // Another thread may write it then, to which the condition of this one means
                      // nothing; and a wait that is interrupted must not use a connection.
                      database::confirm,
                      () -> {
                        over.run();
                        return write.apply(commit);
                      }));
        });
  }
}

package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.commit.References.Home;
import dev.cairn.content.Commit;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Operation;
import dev.cairn.model.Operation.About;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.BodyMemory;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** A batch that was submitted and is not answered yet. */
final class PendingCommit {
  private final RepositoryAccess access;
  private final byte[] body;
  private final Optional<String> key;
  private final Supplier<CommitRequest> parsed;
  private final Results results;
  private final LongPredicate precondition;
  private final BodyMemory.Extra room;
  private final boolean writesInstalls;
  private final long sinceNanos = System.nanoTime();
  private final boolean isSmall;

  /** Null until the body is parsed. */
  private CommitRequest request;

  private byte[] bodyHash;

  /** Whether it is only planned to tell what else is wrong; nothing that exists is in its way. */
  private boolean isMalformed;

  private volatile boolean mustGoAlone;

  /** What ends its wait: empty if it is to lead, its outcome if another one took it along. */
  private volatile CompletableFuture<Optional<Outcome>> turn = new CompletableFuture<>();

  /** What becomes of the results of a batch. */
  interface Results {
    /**
     * The answer.
     *
     * @param commit null if nothing was written
     */
    CommitAnswer answer(CommitPlan plan, Commit commit);

    /**
     * Called in the transaction, when all is written; the parameters are those of {@link #answer}.
     */
    default void written(CommitPlan plan, Commit commit) {}
  }

  /**
   * How a batch ended.
   *
   * @param answer null if it failed
   * @param failure null if it did not
   */
  record Outcome(CommitAnswer answer, RuntimeException failure) {
    static Outcome of(CommitAnswer answer) {
      return new Outcome(answer, null);
    }

    static Outcome of(RuntimeException failure) {
      return new Outcome(null, failure);
    }

    CommitAnswer get() {
      if (failure != null) {
        throw failure;
      }
      return answer;
    }
  }

  /**
   * A batch as it came.
   *
   * @param access granted for {@code repo:write}
   * @param body the request's JSON
   * @param idempotencyKey the client's idempotency key, if it sent one
   * @param wanted the answer that the client wants
   * @param precondition tests the newest sequence number before the commit, on any thread
   * @param room for what it reads from the database
   * @param writesInstalls whether the service itself submits it, and may write {@code
   *     ComponentInstall}
   */
  PendingCommit(
      RepositoryAccess access,
      byte[] body,
      Optional<String> idempotencyKey,
      CommitAnswer.Wanted wanted,
      LongPredicate precondition,
      BodyMemory.Extra room,
      boolean writesInstalls) {
    this(
        access,
        body,
        () -> CommitRequest.parse(body),
        idempotencyKey,
        (plan, commit) -> CommitAnswer.of(commit, plan, wanted, body.length),
        precondition,
        room,
        writesInstalls);
  }

  /**
   * A batch of lines of a streaming submission.
   *
   * @param body all lines
   * @param parsed reads the lines
   * @param results takes the results
   */
  PendingCommit(
      RepositoryAccess access,
      byte[] body,
      Supplier<CommitRequest> parsed,
      Results results,
      BodyMemory.Extra room) {
    this(access, body, parsed, Optional.empty(), results, _ -> true, room, false);
  }

  private PendingCommit(
      RepositoryAccess access,
      byte[] body,
      Supplier<CommitRequest> parsed,
      Optional<String> idempotencyKey,
      Results results,
      LongPredicate precondition,
      BodyMemory.Extra room,
      boolean writesInstalls) {
    this.writesInstalls = writesInstalls;
    this.access = access;
    this.room = room;
    this.body = body;
    this.parsed = parsed;
    this.results = results;
    this.key = idempotencyKey.map(IdempotencyKeys::checked);
    this.precondition = precondition;
    this.isSmall = BodyMemory.isNegligible(body);
    if (isSmall) {
      parse();
    }
  }

  /** Reads the body, unless that was done; a large one only when there is room for it. */
  void parse() {
    if (request != null) {
      return;
    }
    // Hashed before the operations are parsed: the tree and the operations together would take
    // twice the memory.
    bodyHash = key.isEmpty() ? null : hash(body);
    request = parsed.get();
    isMalformed = request.isMalformed();
  }

  static byte[] hash(byte[] body) {
    return CanonicalJson.hash(CommitRequest.tree(body));
  }

  RepositoryAccess access() {
    return access;
  }

  UUID repoId() {
    return access.repoId();
  }

  UUID accountId() {
    return access.account().accountId();
  }

  Home home() {
    return new Home(access.repoId(), access.org(), access.repo());
  }

  byte[] body() {
    return body;
  }

  /** The batch; only after {@link #parse}. */
  CommitRequest request() {
    return Objects.requireNonNull(request, "not parsed yet");
  }

  /** The idempotency key; empty too for a batch whose answer is not kept. */
  Optional<String> key() {
    return request().dryRun() || isMalformed ? Optional.empty() : key;
  }

  /** The hash of the body; null without an idempotency key. */
  byte[] bodyHash() {
    return bodyHash;
  }

  /** The room for what it reads from the database. */
  BodyMemory.Extra room() {
    return room;
  }

  /** Whether the service itself submitted it, and may write {@code ComponentInstall}. */
  boolean writesInstalls() {
    return writesInstalls;
  }

  /** When it was submitted, by {@link System#nanoTime}. */
  long sinceNanos() {
    return sinceNanos;
  }

  /**
   * The answer, as {@link Results#answer}.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it would be too long
   */
  CommitAnswer answer(CommitPlan plan, Commit commit) {
    return results.answer(plan, commit);
  }

  /** As {@link Results#written}. */
  void written(CommitPlan plan, Commit commit) {
    results.written(plan, commit);
  }

  /**
   * Refuses a commit to a state that {@code If-Match} does not name, unless its form is wrong.
   *
   * @param seq the newest sequence number before the commit
   */
  void requirePrecondition(long seq) {
    if (!isMalformed && !precondition.test(seq)) {
      throw Problem.of(
              ErrorCode.PRECONDITION_FAILED,
              "`If-Match` does not match: another commit was made since that state.")
          .hint(
              "Read what was committed since, and send the commit with the present `ETag` of `GET /commits`.");
    }
  }

  /**
   * Whether it may be written together with others: it is small, and changes only what it names. A
   * rename changes other texts too, and collections are found by their members.
   */
  boolean mayJoin() {
    return isSmall
        && !mustGoAlone
        && !request.dryRun()
        && request.operations().stream()
            .map(SubmittedOperation::operation)
            .allMatch(PendingCommit::changesOnlyNamed);
  }

  private static boolean changesOnlyNamed(Operation operation) {
    return switch (operation) {
      case null -> true;
      case Operation.Add add ->
          add.kind() != Operation.Kind.COLLECTION && !(add.about() instanceof About.Inline);
      case Operation.Revise revise -> !(revise.about() instanceof About.Inline);
      case Operation.Retract _ -> true;
      case Operation.Rename _ -> false;
    };
  }

  /** Keeps it out of further groups: one that it was in could not be written. */
  void goAlone() {
    mustGoAlone = true;
  }

  /** Begins to wait, maybe once more. */
  void beginToWait() {
    turn = new CompletableFuture<>();
  }

  /** Ends the wait: it is its turn. */
  void lead() {
    turn.complete(Optional.empty());
  }

  /** Ends the wait: another one took it along. */
  void end(Outcome outcome) {
    turn.complete(Optional.of(outcome));
  }

  /**
   * Waits for its turn, or until another one took it along.
   *
   * @return empty if it leads
   * @throws TimeoutException if neither happens in time
   */
  Optional<Outcome> await(Duration wait) throws TimeoutException, InterruptedException {
    try {
      return turn.get(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same for as long as it takes; an interrupt shows afterwards. */
  Optional<Outcome> awaitUninterruptibly() {
    return turn.join();
  }
}

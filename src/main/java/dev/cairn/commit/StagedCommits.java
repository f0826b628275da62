package dev.cairn.commit;

import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Archived;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.CommitListener.Reaction;
import dev.cairn.commit.CommitListener.Reactions;
import dev.cairn.commit.SubmittedLines.Applied;
import dev.cairn.content.Commit;
import dev.cairn.content.CommitHash;
import dev.cairn.content.CommitStamp;
import dev.cairn.content.Head;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.content.write.ContentWriter.LoggedCommit;
import dev.cairn.content.write.CountChanges;
import dev.cairn.content.write.StoredHash;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import dev.cairn.platform.memory.BodyMemory;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayOutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes one commit of any number of operations in one transaction, part by part: each part is
 * planned on what the parts before it wrote, so that only one is in memory. If any operation fails,
 * nothing is written. See {@code docs/streams.md}, All or nothing.
 */
@ApplicationScoped
class StagedCommits {
  /** After so many errors, no further part is planned to find others. */
  static final int MAX_ERRORS = 1_000;

  /** The same for the bytes of their result lines. */
  private static final int MAX_ERROR_BYTES = 1024 * 1024;

  /** Maximum renames, as many as an ordinary commit can have. */
  static final int MAX_RENAMES = 10_000;

  private final Database database;
  private final RepositoryHeads heads;
  private final CommitLoader loader;
  private final CommitPlanning planning;
  private final CommitWriter writer;
  private final StoredHash storedHash;
  private final List<CommitListener> listeners;
  private final List<CommitObserver> observers;
  private final CommitMetrics metrics;
  private final StoredBytes storedBytes;
  private final RenameBudget renameBudget;
  private final Recheck recheck;
  private final NameHints hints;
  private final BodyMemory memory;

  /** Thrown to undo a commit of which operations failed. */
  private static final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Applied errors;

    FailedException(Applied errors) {
      super("operations failed", null, false, false);
      this.errors = errors;
    }
  }

  /** Thrown if a part is too much to be planned; nothing of it was written. */
  private static final class PartException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Problem problem;

    PartException(Problem problem) {
      super("a part is too much", null, false, false);
      this.problem = problem;
    }
  }

  StagedCommits(
      Database database,
      RepositoryHeads heads,
      CommitLoader loader,
      CommitPlanning planning,
      CommitWriter writer,
      StoredHash storedHash,
      @All List<CommitListener> listeners,
      @All List<CommitObserver> observers,
      CommitMetrics metrics,
      StoredBytes storedBytes,
      RenameBudget renameBudget,
      Recheck recheck,
      NameHints hints,
      BodyMemory memory) {
    this.database = database;
    this.heads = heads;
    this.loader = loader;
    this.planning = planning;
    this.writer = writer;
    this.storedHash = storedHash;
    this.listeners = listeners;
    this.observers = observers;
    this.metrics = metrics;
    this.storedBytes = storedBytes;
    this.renameBudget = renameBudget;
    this.recheck = recheck;
    this.hints = hints;
    this.memory = memory;
  }

  /**
   * Writes the commit whose turn it is.
   *
   * @param inTransaction called with the numbers and without result lines, in the transaction
   * @return the numbers; if operations failed, their number and result lines, and nothing was
   *     written
   */
  Applied write(PendingCommit commit, StagedLines lines, Consumer<Applied> inTransaction) {
    try {
      return database.transaction(() -> new Run(commit, lines).write(inTransaction));
    } catch (FailedException e) {
      return e.errors;
    }
  }

  /** One attempt. */
  private final class Run {
    private final PendingCommit commit;
    private final RepositoryAccess access;
    private final CommitRequest request;
    private final StagedLines lines;
    private final List<Reactions> listening =
        listeners.stream().map(CommitListener::begin).toList();
    private final CountChanges counts = new CountChanges();
    private final Set<Long> renamed = new HashSet<>();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    /** The head before the commit; null before it is locked. */
    private Head head;

    private CommitStamp stamp;
    private CommitHash hash;
    private List<Reaction> reactions;
    private long nextEntityId;
    private long bytes;
    private int applied;
    private int noops;
    private int failed;

    Run(PendingCommit commit, StagedLines lines) {
      this.commit = commit;
      this.access = commit.access();
      this.request = commit.request();
      this.lines = lines;
    }

    Applied write(Consumer<Applied> inTransaction) {
      lines.each(this::part);
      if (failed > 0) {
        recheck.requireStill(access, REPO_WRITE);
        throw new FailedException(new Applied(null, 0, 0, 0, failed, errors.toByteArray()));
      }
      if (access.isArchived()) {
        throw Archived.repository();
      }
      var result = new Applied(applied == 0 ? null : log(), seq(), applied, noops, 0, new byte[0]);
      if (applied == 0) {
        recheck.requireStill(access, REPO_WRITE);
      }
      inTransaction.accept(result);
      return result;
    }

    private long seq() {
      return applied == 0 ? 0 : stamp.seq();
    }

    /** Plans and writes the next part. */
    private boolean part(SubmittedLines part) {
      apply(part);
      return failed < MAX_ERRORS && errors.size() < MAX_ERROR_BYTES;
    }

    private void apply(SubmittedLines part) {
      try {
        attempt(part);
      } catch (PartException e) {
        // They are too much to be planned together, or one of them is by itself.
        int half = part.size() / 2;
        if (half == 0) {
          attempt(part.refused(StreamedCommits.ofOperation(e.problem)));
        } else {
          apply(part.part(0, half));
          apply(part.part(half, part.size()));
        }
      }
    }

    private void attempt(SubmittedLines part) {
      var body = part.body();
      var room = memory.extra(commit.accountId(), body);
      try {
        var batch =
            new PendingCommit(
                access,
                body,
                () -> part.parse(new CommitText(request.message(), request.author()), part.first()),
                (_, _) -> CommitAnswer.streamed(true),
                room);
        batch.parse();
        write(part, batch, planned(batch));
      } finally {
        room.release();
      }
    }

    private CommitPlan planned(PendingCommit batch) {
      try {
        return plan(batch);
      } catch (Problem e) {
        throw StreamedCommits.isTooMuch(e) ? new PartException(e) : e;
      }
    }

    private CommitPlan plan(PendingCommit batch) {
      var lookUp = new StatementBatch();
      var loading = loader.begin(batch, lookUp);
      if (head == null) {
        begin(heads.lockForCommit(access.repoId(), lookUp));
      } else {
        database.send(lookUp);
      }
      var loaded = loader.load(loading, List.of()).getFirst();
      var plan = planning.plan(loaded, nextEntityId);
      hints.explain(plan, access);
      return plan;
    }

    private void begin(Head locked) {
      metrics.locked(commit.sinceNanos());
      head = locked;
      nextEntityId = locked.nextEntityId();
      stamp =
          new CommitStamp(
              access.repoId(),
              locked.seq() + 1,
              PlannedCommit.author(request, access.caller()),
              locked.timeOfNext());
      hash =
          new CommitHash(
              locked.hash(),
              access.repoId(),
              stamp.seq(),
              stamp.author(),
              request.message(),
              stamp.createdAt());
      reactions =
          listening.stream().flatMap(one -> one.begin(access, locked.watchers()).stream()).toList();
    }

    private void write(SubmittedLines part, PendingCommit batch, CommitPlan plan) {
      requireOneRename(plan);
      if (!plan.isEmpty()) {
        var operations = plan.committed();
        reactions.forEach(reaction -> reaction.planned(operations));
        renameBudget.take(access, plan.storedRenames());
        bytes +=
            writer.writeRows(access.orgId(), List.of(new CommitWriter.Part(plan, stamp)), counts);
        storedBytes.requireRoom(access.orgId(), bytes);
        PlannedCommit.addTo(hash, plan);
        nextEntityId = plan.nextEntityId;
        reactions.forEach(reaction -> reaction.written(stamp.seq()));
      }
      keep(part, batch.request().operations(), plan);
    }

    /** Adds the results to those of the other parts; from the first error on, only errors. */
    private void keep(SubmittedLines part, List<SubmittedOperation> operations, CommitPlan plan) {
      boolean fails = failed > 0 || plan.hasErrors();
      var results =
          fails ? part.failed(operations, plan) : part.applied(operations, plan, null, stamp.seq());
      applied += results.applied();
      noops += results.noops();
      failed += results.errors();
      if (fails) {
        errors.writeBytes(results.results());
      } else {
        lines.keep(results.results());
      }
    }

    /**
     * An entity gets one new name in a commit; within a part, planning sees to that.
     *
     * @throws Problem {@code ILLEGAL_OP_SEQUENCE} for a second one, {@code PAYLOAD_TOO_LARGE} for
     *     too many in all
     */
    private void requireOneRename(CommitPlan plan) {
      for (var rename : plan.renames) {
        if (!renamed.add(rename.entity().id)) {
          throw Problem.of(
                  ErrorCode.ILLEGAL_OP_SEQUENCE,
                  "This submission renames `%s` twice.".formatted(rename.entity().local()))
              .with("opIndex", plan.numbering.of(rename.opIndex()))
              .hint("Rename it once, to the last of the new names.");
        }
      }
      if (renamed.size() > MAX_RENAMES) {
        throw Problem.of(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "An atomic submission may have at most %,d renames.".formatted(MAX_RENAMES))
            .hint("Send the others in another submission.");
      }
    }

    /**
     * Writes the log, and lets the listeners react.
     *
     * @return the id of the commit
     */
    private String log() {
      if (!renamed.isEmpty()) {
        hash =
            new CommitHash(
                head.hash(),
                access.repoId(),
                stamp.seq(),
                stamp.author(),
                request.message(),
                stamp.createdAt());
        storedHash.addTo(hash, access.repoId(), stamp.seq());
      }
      var value = hash.value();
      var made =
          new Commit(
              access.repoId(),
              stamp.seq(),
              CommitHash.commitId(value),
              value,
              head.hash(),
              stamp.author(),
              access.caller().accountIdOrNull(),
              request.message(),
              stamp.createdAt());
      var logged =
          new LoggedCommit(
              made, Recheck.Holder.of(access.account()), applied + noops, nextEntityId);
      if (!writer.log(access.orgId(), List.of(logged), bytes, counts)) {
        recheck.requireStill(access, REPO_WRITE);
        throw Archived.repository();
      }
      reactions.forEach(reaction -> reaction.committed(made));
      listening.forEach(Reactions::finish);
      metrics.written(applied + noops);
      database.afterCommit(
          () -> observers.forEach(one -> one.committed(access.repoId(), made.seq())));
      return made.commitId();
    }
  }
}

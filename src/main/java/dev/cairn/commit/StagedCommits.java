package dev.cairn.commit;

import dev.cairn.access.Archived;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.commit.CommitListener.Reaction;
import dev.cairn.commit.CommitRequest.EarlierResult;
import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.commit.CommitSteps.Listening;
import dev.cairn.commit.StagedLines.NamedResult;
import dev.cairn.commit.SubmittedLines.Applied;
import dev.cairn.content.Commit;
import dev.cairn.content.CommitHash;
import dev.cairn.content.CommitStamp;
import dev.cairn.content.Head;
import dev.cairn.content.write.ContentWriter.LoggedCommit;
import dev.cairn.content.write.CountChanges;
import dev.cairn.content.write.EntityName;
import dev.cairn.content.write.StoredEntities;
import dev.cairn.content.write.StoredHash;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.BodyMemory;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  /** The heap that a result takes to which a part refers, besides the characters of its name. */
  private static final int RESULT_SIZE = 400;

  /** Maximum renames, as many as an ordinary commit can have. */
  static final int MAX_RENAMES = 10_000;

  private final Database database;
  private final CommitSteps steps;
  private final StoredEntities entities;
  private final StoredHash storedHash;
  private final CommitMetrics metrics;
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
      CommitSteps steps,
      StoredEntities entities,
      StoredHash storedHash,
      CommitMetrics metrics,
      BodyMemory memory) {
    this.database = database;
    this.steps = steps;
    this.entities = entities;
    this.storedHash = storedHash;
    this.metrics = metrics;
    this.memory = memory;
  }

  /**
   * Writes the commit whose turn it is.
   *
   * @param room for the largest part, which is given back as soon as it is not needed any longer
   * @param inTransaction called with the numbers and without result lines, in the transaction
   * @return the numbers; if operations failed, their number and result lines, and nothing was
   *     written
   */
  Applied write(
      PendingCommit commit,
      StagedLines lines,
      BodyMemory.Bodies room,
      Consumer<Applied> inTransaction) {
    try {
      return database.transaction(() -> new Run(commit, lines, room).write(inTransaction));
    } catch (FailedException e) {
      return e.errors;
    }
  }

  /** A part that is planned. */
  private record Planned(PendingCommit batch, CommitPlan plan) {}

  /** One attempt. */
  private final class Run {
    private final PendingCommit commit;
    private final RepositoryAccess access;
    private final CommitRequest request;
    private final StagedLines lines;
    private final BodyMemory.Bodies room;
    private final Listening listening = steps.listen();
    private final CountChanges counts = new CountChanges();
    private final Set<Long> renamed = new HashSet<>();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    /** The head before the commit; null before it is locked. */
    private Head head;

    private CommitStamp stamp;
    private CommitHash hash;
    private List<Reaction> reactions;
    private long nextEntityId;
    private final UnchangedPatches unchanged = new UnchangedPatches();
    private long bytes;
    private int applied;
    private int noops;
    private int failed;

    Run(PendingCommit commit, StagedLines lines, BodyMemory.Bodies room) {
      this.room = room;
      this.commit = commit;
      this.access = commit.access();
      this.request = commit.request();
      this.lines = lines;
    }

    Applied write(Consumer<Applied> inTransaction) {
      lines.each(this::part);
      room.resize(0);
      lines.requireGoingOn();
      lines.forget();
      boolean writesNothing = applied == 0 || failed > 0;
      boolean isArchived = steps.recheckBeforeLog(access, writesNothing);
      if (failed > 0) {
        throw new FailedException(new Applied(null, 0, 0, 0, failed, errors.toByteArray()));
      }
      if (isArchived) {
        throw Archived.repository();
      }
      var result = new Applied(applied == 0 ? null : log(), seq(), applied, noops, 0, new byte[0]);
      inTransaction.accept(result);
      return result;
    }

    private long seq() {
      return applied == 0 ? 0 : stamp.seq();
    }

    /** Plans and writes the next part. */
    private boolean part(SubmittedLines part) {
      room.resize(lines.maxParsedBytes());
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
      lines.requireGoingOn();
      var body = part.body();
      var extra = memory.patientExtra(commit.accountId(), body);
      try {
        var planned = planned(part, body, extra);
        write(part, planned.batch(), planned.plan());
      } finally {
        extra.release();
      }
    }

    private Planned planned(SubmittedLines part, byte[] body, BodyMemory.Extra extra) {
      try {
        var numbering = numbering(part, extra);
        var batch =
            new PendingCommit(
                access,
                body,
                () -> part.parse(new CommitText(request.message(), request.author()), numbering),
                (_, _) -> CommitAnswer.streamed(true),
                extra);
        batch.parse();
        var plan = steps.plan(loaded(batch), nextEntityId, lines::requireGoingOn);
        steps.explain(plan, access);
        return new Planned(batch, plan);
      } catch (Problem e) {
        throw StreamedCommits.isTooMuch(e) ? new PartException(e) : e;
      }
    }

    /** The numbers of a part, with the results of parts before it that it may refer to. */
    private Numbering numbering(SubmittedLines part, BodyMemory.Extra extra) {
      var numbers = new HashSet<Integer>();
      part.eachReferredResult(
          number -> {
            if (number < part.first() && numbers.add(number)) {
              extra.add(RESULT_SIZE);
            }
          });
      if (numbers.isEmpty()) {
        return new Numbering(part.first(), Map.of());
      }
      var named = lines.named(numbers);
      var names = new HashMap<Long, EntityName>();
      entities.names(
          access.repoId(),
          named.values().stream().mapToLong(NamedResult::entityId).distinct().toArray(),
          (id, name) -> {
            extra.add(2L * name.name().length());
            names.put(id, name);
          });
      var earlier = new HashMap<Integer, EarlierResult>();
      named.forEach(
          (number, result) ->
              earlier.put(
                  number,
                  new EarlierResult(
                      result.entityId(), result.version(), names.get(result.entityId()))));
      return new Numbering(part.first(), earlier);
    }

    private LoadingCommit loaded(PendingCommit batch) {
      if (head != null) {
        return steps.load(batch);
      }
      var locked = steps.lock(batch);
      metrics.locked(commit.sinceNanos());
      // If it was archived while this waited for the head, nothing is written: whoever unarchives
      // it would wait until all parts are.
      if (steps.recheck(access)) {
        throw Archived.repository();
      }
      begin(locked.head());
      return steps.load(locked.loading(), List.of()).getFirst();
    }

    private void begin(Head locked) {
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
      reactions = listening.begin(access, locked);
    }

    private void write(SubmittedLines part, PendingCommit batch, CommitPlan plan) {
      requireOneRename(plan);
      unchanged.add(batch.request().operations(), plan);
      if (!plan.isEmpty()) {
        var operations = plan.committed();
        reactions.forEach(reaction -> reaction.planned(operations));
        writeRows(plan);
        steps.requireRoom(access.orgId(), bytes);
        PlannedCommit.addTo(hash, plan);
        nextEntityId = plan.nextEntityId;
        reactions.forEach(reaction -> reaction.written(stamp.seq()));
      }
      keepNamed(plan);
      keep(part, batch.request().operations(), plan);
    }

    private void writeRows(CommitPlan plan) {
      Runnable work =
          () ->
              bytes += steps.writeRows(access, List.of(new CommitWriter.Part(plan, stamp)), counts);
      if (plan.renames.isEmpty()) {
        work.run();
      } else {
        lines.rename(work);
      }
    }

    /** Keeps the results that operations of further parts may refer to. */
    private void keepNamed(CommitPlan plan) {
      var named =
          plan.results.stream()
              .filter(result -> result.entity() != null)
              .filter(result -> lines.isReferred(plan.numbering.of(result.opIndex())))
              .map(
                  result ->
                      new NamedResult(
                          plan.numbering.of(result.opIndex()),
                          result.entity().id,
                          result.version()))
              .toList();
      if (!named.isEmpty()) {
        lines.keepNamed(named);
      }
    }

    /** Adds the results to those of the other parts; from the first error on, only errors. */
    private void keep(SubmittedLines part, List<SubmittedOperation> operations, CommitPlan plan) {
      boolean fails = failed > 0 || plan.hasErrors();
      var results =
          fails
              ? part.failed(operations, plan, Math.max(0, MAX_ERRORS - failed))
              : part.applied(operations, plan, null, stamp.seq());
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
        storedHash.addTo(
            hash, access.repoId(), stamp.seq(), applied + noops, lines::requireGoingOn);
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
      var logged = LoggedCommit.of(made, access, applied + noops, nextEntityId);
      if (!steps.log(access.orgId(), List.of(logged), bytes, counts)) {
        throw steps.refusal(access);
      }
      reactions.forEach(reaction -> reaction.committed(made));
      steps.finish(listening, access.repoId(), made.seq());
      metrics.written(applied + noops);
      return made.commitId();
    }
  }
}

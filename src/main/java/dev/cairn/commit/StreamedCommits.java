package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.commit.SubmittedLines.Applied;
import dev.cairn.content.Commit;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.BodyMemory;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Commits lines of streaming submissions, on the same way as other commits: as many at a time as
 * they are given, each operation by itself. See {@code docs/streams.md}, How it is applied.
 */
@ApplicationScoped
public class StreamedCommits {
  private final CommitService commits;
  private final StagedCommits staged;
  private final BodyMemory memory;

  StreamedCommits(CommitService commits, StagedCommits staged, BodyMemory memory) {
    this.commits = commits;
    this.staged = staged;
    this.memory = memory;
  }

  /** Collects what becomes of a batch of lines; of several attempts, the last one counts. */
  private static final class Outcome implements PendingCommit.Results {
    private final SubmittedLines lines;
    private final Consumer<Applied> inTransaction;
    private PendingCommit batch;
    private volatile Applied applied;

    Outcome(SubmittedLines lines, Consumer<Applied> inTransaction) {
      this.lines = lines;
      this.inTransaction = inTransaction;
    }

    @Override
    public CommitAnswer answer(CommitPlan plan, Commit commit) {
      return CommitAnswer.streamed(commit != null);
    }

    @Override
    public void written(CommitPlan plan, Commit commit) {
      var now =
          lines.applied(
              batch.request().operations(),
              plan,
              commit == null ? null : commit.commitId(),
              commit == null ? 0 : commit.seq());
      inTransaction.accept(now);
      applied = now;
    }
  }

  /** A problem as a member {@code error} of an object, in UTF-8, with a line feed after it. */
  public static byte[] errorLine(Problem problem) {
    var out = new ByteArrayOutputStream();
    try (var json = IJson.factory().createGenerator(out)) {
      json.writeStartObject();
      json.writeFieldName("error");
      ResultJson.error(json, problem);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /**
   * Applies lines in one commit: those that can be, as with {@code atomic: false}.
   *
   * @param access granted for {@code repo:write}
   * @param inTransaction called with the results in the transaction that writes them, also if there
   *     is nothing to write; what it throws undoes the commit. It may be called again if the
   *     transaction is repeated
   * @throws Problem if none of them can be applied, whatever they are: {@code PAYLOAD_TOO_LARGE} if
   *     they are too much together, or what {@link CommitService#submit} throws
   */
  public Applied apply(
      RepositoryAccess access,
      CommitText text,
      SubmittedLines lines,
      Consumer<Applied> inTransaction) {
    var body = lines.body();
    var outcome = new Outcome(lines, inTransaction);
    outcome.batch =
        new PendingCommit(
            access,
            body,
            () -> lines.parse(text, Numbering.OF_STREAM),
            outcome,
            memory.extra(access.account().accountId(), body));
    commits.submit(() -> outcome.batch);
    return outcome.applied;
  }

  /**
   * Whether a problem says that operations are too much for one commit, so that fewer may not be.
   */
  public static boolean isTooMuch(Problem problem) {
    return problem.code() == ErrorCode.PAYLOAD_TOO_LARGE && !problem.details().containsKey("limit");
  }

  /** The problem of a commit with a single operation, as one of this operation. */
  public static Problem ofOperation(Problem problem) {
    return problem.moved("/operations/0", "").moved("/operations", "");
  }

  /**
   * Applies all lines in one commit, or none of them if any operation fails.
   *
   * @param access granted for {@code repo:write}
   * @param inTransaction as in {@link #apply}, without result lines; not called if operations fail
   * @return the numbers; if operations failed, only these count, and the result lines are theirs
   * @throws Problem as {@link #apply} does
   */
  public Applied applyAtOnce(
      RepositoryAccess access,
      CommitText text,
      StagedLines lines,
      Consumer<Applied> inTransaction) {
    var account = access.account().accountId();
    var body = new byte[0];
    var whole =
        new PendingCommit(
            access,
            body,
            () ->
                new CommitRequest(
                    text.message(), text.author(), true, false, List.of(), Numbering.OF_COMMIT),
            (_, _) -> CommitAnswer.streamed(true),
            memory.extra(account, body));
    // It takes too long for others to wait with it in one transaction.
    whole.goAlone();
    var outcome = new AtomicReference<Applied>();
    commits.submit(
        () -> whole,
        commit -> {
          try (var room = memory.hold(account, lines.maxParsedBytes())) {
            outcome.set(staged.write(commit, lines, room, inTransaction));
          }
          return CommitAnswer.streamed(outcome.get().commitId() != null);
        });
    return outcome.get();
  }
}

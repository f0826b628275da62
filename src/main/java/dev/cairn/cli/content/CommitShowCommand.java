package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.CommitDetail;
import dev.cairn.client.CommitOperation;
import dev.cairn.client.Paging;
import dev.cairn.client.RepositoryClient;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one commit. */
@Command(
    name = "show",
    description = "Show a commit with its changes.",
    footer = {"cairn commit show", "cairn commit show 9f2c41d07ab35e68 --json"})
public final class CommitShowCommand extends CliCommand {
  private static final int PAGE = 500;

  @Parameters(
      arity = "0..1",
      paramLabel = "<commit>",
      description = "The id of the commit; by default the newest.")
  private String commitId;

  @Override
  protected void run() {
    var repository = repository();
    var commit = whole(repository, commitId == null ? newest(repository) : commitId);
    output().details(commit, details(commit));
    if (!output().isStructured()) {
      output().line("");
      output().list(table(), commit.operations().stream(), "It changed nothing.");
    }
  }

  private static String newest(RepositoryClient repository) {
    var newest = repository.listCommitsPage(null, Paging.first(1)).items();
    if (newest.isEmpty()) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "The repository has no commit yet.");
    }
    return newest.getFirst().commitId();
  }

  /** The commit with all its operations, which are paged. */
  private static CommitDetail whole(RepositoryClient repository, String id) {
    var first = repository.getCommit(id, Paging.first(PAGE));
    List<CommitOperation> operations = new ArrayList<>(first.operations());
    var cursor = first.nextCursor();
    while (cursor != null) {
      var next = repository.getCommit(id, Paging.first(PAGE).after(cursor));
      operations.addAll(next.operations());
      cursor = next.nextCursor();
    }
    return new CommitDetail(
        first.commitId(),
        first.repoSeq(),
        first.author(),
        first.message(),
        first.createdAt(),
        first.operationCount(),
        first.hash(),
        first.parentHash(),
        operations,
        null);
  }

  private static Details details(CommitDetail commit) {
    return new Details()
        .add("Commit", commit.commitId(), Style.BOLD)
        .add("Sequence", commit.repoSeq() + "")
        .add("Author", commit.author())
        .time("Made", commit.createdAt())
        .add("Message", commit.message())
        .add("Operations", commit.operationCount())
        .add("Hash", commit.hash())
        .add("Parent", commit.parentHash());
  }

  private static Table<CommitOperation> table() {
    return new Table<CommitOperation>()
        .text("CHANGE", CommitShowCommand::change, CommitShowCommand::style)
        .text("WREF", CommitOperation::wref)
        .text("KIND", CommitOperation::kind)
        .number("VERSION", CommitOperation::version)
        .text("FORMER", CommitOperation::formerName);
  }

  private static boolean isRetract(CommitOperation operation) {
    return operation.active() != null && !operation.active();
  }

  private static String change(CommitOperation operation) {
    return isRetract(operation) ? "retract" : operation.operation();
  }

  private static Style style(CommitOperation operation) {
    if (isRetract(operation)) {
      return Style.RED;
    }
    return operation.operation().equals("add") ? Style.GREEN : Style.YELLOW;
  }
}

package dev.cairn.cli.content;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Output;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.CommitAnswer;
import dev.cairn.client.OperationResult;
import dev.cairn.client.OperationResult.Applied;
import dev.cairn.client.OperationResult.Failed;
import dev.cairn.client.OperationResult.Noop;
import dev.cairn.client.RepositoryClient;

/** Sends a commit, and shows what came of it. */
final class Submission {
  private final Output output;
  private final RepositoryClient repository;
  private final CommitFlags flags;

  Submission(Output output, RepositoryClient repository, CommitFlags flags) {
    this.output = output;
    this.repository = repository;
    this.flags = flags;
  }

  /** A commit of one operation. */
  static ObjectNode request(ObjectNode operation) {
    var request = operation.objectNode();
    request.putArray("operations").add(operation);
    return request;
  }

  /**
   * Commits.
   *
   * @throws CommandFailure if operations failed, of which others were applied
   */
  void submit(ObjectNode request) {
    flags.apply(request);
    var answer = repository.commit(request, flags.options());
    show(answer, request);
    long failed = answer.operations().stream().filter(Failed.class::isInstance).count();
    if (failed > 0) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "%d of %d operations failed.".formatted(failed, answer.operationCount()));
    }
  }

  private void show(CommitAnswer answer, ObjectNode request) {
    if (output.isStructured()) {
      output.document(answer);
      return;
    }
    output.list(table(request), answer.operations().stream(), "");
    for (var result : answer.operations()) {
      if (result.warnings() != null) {
        result.warnings().forEach(warning -> output.note(name(result, request) + ": " + warning));
      }
    }
    output.note(sentence(answer, request.path("dryRun").asBoolean()));
  }

  private static String sentence(CommitAnswer answer, boolean dryRun) {
    if (dryRun) {
      return "Nothing was written: it was a dry run.";
    }
    return answer.commitId() == null
        ? "Nothing was written: nothing had to change."
        : "Committed as %s, number %d.".formatted(answer.commitId(), answer.repoSeq());
  }

  private static Table<OperationResult> table(ObjectNode request) {
    return new Table<OperationResult>()
        .number("#", OperationResult::opIndex)
        .text("RESULT", Submission::result, Submission::style)
        .text("WREF", result -> name(result, request))
        .number("VERSION", Submission::version)
        .text("ERROR", Submission::error);
  }

  private static String result(OperationResult result) {
    return switch (result) {
      case Applied applied -> applied.operation();
      case Noop _ -> "noop";
      case Failed _ -> "error";
    };
  }

  private static Style style(OperationResult result) {
    return switch (result) {
      case Applied _ -> Style.GREEN;
      case Noop _ -> Style.DIM;
      case Failed _ -> Style.RED;
    };
  }

  /** The entity, or what the request calls it if there is none. */
  private static String name(OperationResult result, ObjectNode request) {
    var wref =
        switch (result) {
          case Applied applied -> applied.wref();
          case Noop noop -> noop.wref();
          case Failed failed -> failed.wref();
        };
    return wref != null
        ? wref
        : request.path("operations").path(result.opIndex()).path("name").textValue();
  }

  private static Integer version(OperationResult result) {
    return switch (result) {
      case Applied applied -> applied.version();
      case Noop noop -> noop.version();
      case Failed _ -> null;
    };
  }

  private static String error(OperationResult result) {
    return result instanceof Failed failed
        ? failed.error().code() + ": " + failed.error().detail()
        : null;
  }
}

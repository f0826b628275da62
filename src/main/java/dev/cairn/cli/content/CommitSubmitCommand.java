package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commits operations. */
@Command(
    name = "submit",
    description = "Commit one operation of options, or the operations of a file.",
    footer = {
      "cairn commit submit --add City/oslo --data '{\"people\": 717710}' -m City",
      "cairn commit submit --patch City/oslo --data '{\"people\": 720000}'",
      "cairn commit submit operations.ndjson --dry-run",
      "generate | cairn commit submit - --no-atomic"
    })
public final class CommitSubmitCommand extends CliCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "<file>",
      description =
          "Operations: a commit or an array as JSON, or NDJSON. '-' is the standard input.")
  private String file;

  @ArgGroup(exclusive = false)
  private OperationOptions operation;

  @Mixin private CommitFlags flags;

  @Option(
      names = "--no-atomic",
      description = "Apply as many operations as possible, not all or none.")
  private boolean partial;

  @Override
  protected void run() throws IOException {
    if (operation != null && file != null) {
      throw usage("Give either an operation by options or a file, not both.");
    }
    if (operation == null && file == null && context().terminal().isInput()) {
      throw usage("What to commit? Give an operation by options, a file, or '-'.");
    }
    var input = new CommandInput(context());
    var request =
        operation == null
            ? OperationFile.read(input, file == null ? CommandInput.STANDARD_INPUT : file)
            : Submission.request(operation.toJson(input));
    if (partial) {
      request.put("atomic", false);
    }
    new Submission(output(), repository(), flags).submit(request);
  }
}

package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints what a shell needs to complete the words of a command. */
@Command(
    name = "completion",
    description = "Print the completion script of a shell.",
    footer = {
      "source <(cairn completion bash)",
      "source <(cairn completion zsh)",
      "cairn completion fish > ~/.config/fish/completions/cairn.fish"
    })
public final class CompletionCommand extends CliCommand {
  /** A shell. */
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Parameters(paramLabel = "<shell>", description = "The shell: ${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Override
  protected void run() {
    var root = allCommands();
    output()
        .text(
            switch (shell) {
              case bash -> AutoComplete.bash("cairn", root);
              case zsh ->
                  "autoload -U +X compinit && compinit\n" + AutoComplete.bash("cairn", root);
              case fish -> new FishCompletion(root).script();
            });
  }
}

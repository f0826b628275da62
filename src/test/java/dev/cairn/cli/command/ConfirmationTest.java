package dev.cairn.cli.command;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeTerminal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ConfirmationTest {
  private final CliRun run = CliRun.in(Path.of("/nowhere"));

  private void ask(Confirmation confirmation) {
    confirmation.ask(run.context(), "Delete demo/world?", "cairn repo delete demo/world");
  }

  @ParameterizedTest
  @ValueSource(strings = {"y\n", "yes\n", " YES \n"})
  void yes_goes_on(String answer) {
    run.on(FakeTerminal.of(80)).input(answer);
    assertDoesNotThrow(() -> ask(new Confirmation()));
    assertEquals("Delete demo/world? [y/N] ", run.complained());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "n\n", "yeah\n"})
  void anything_else_does_nothing(String answer) {
    run.on(FakeTerminal.of(80)).input(answer);
    var failure = assertThrows(CommandFailure.class, () -> ask(new Confirmation()));
    assertEquals("Nothing was done.", failure.getMessage());
    assertEquals(ExitCode.FAILED, failure.exitCode());
  }

  @Test
  void without_a_terminal_the_option_is_needed() {
    var failure = assertThrows(CommandFailure.class, () -> ask(new Confirmation()));
    assertEquals(ExitCode.USAGE, failure.exitCode());
    assertEquals(List.of("cairn repo delete demo/world --yes"), failure.tries());
    var confirmed = new Confirmation();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("c", CommandLine.Model.CommandSpec.forAnnotatedObject(confirmed)))
        .parseArgs("--yes");
    assertDoesNotThrow(() -> ask(confirmed));
  }
}

package dev.cairn.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.cli.CliRun;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionCommandTest {
  @TempDir private Path home;

  /** What a shell says after it has read the script. */
  private String shell(String shell, String commands) throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, shell))),
        () -> "there is no " + shell);
    var completion = CliRun.in(home).run("completion", shell);
    assertEquals(0, completion.code());
    var script = home.resolve("script");
    Files.writeString(script, completion.out());
    var builder =
        new ProcessBuilder(shell, "-c", "source " + script + "\n" + commands)
            .redirectErrorStream(true);
    builder.environment().put("HOME", home.toString());
    var process = builder.start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  @Test
  void bash_completes_commands() throws Exception {
    var said =
        shell(
            "bash",
            """
            compopt() { :; }
            COMP_WORDS=(cairn prof); COMP_CWORD=1; COMP_LINE='cairn prof'
            _complete_cairn
            echo "${COMPREPLY[@]}"
            COMP_WORDS=(cairn profile re); COMP_CWORD=2; COMP_LINE='cairn profile re'
            _complete_cairn
            echo "${COMPREPLY[@]}\"\
            """);
    assertEquals("profile\nremove\n", said);
  }

  @Test
  void zsh_reads_its_script() throws Exception {
    assertTrue(shell("zsh", "whence -w _complete_cairn").endsWith("_complete_cairn: function\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "'cairn prof', 'profile\tList and choose profiles, one for each server or account.'",
    "'cairn profile re', 'remove\tRemove a profile that nobody is signed in with.'",
    "'cairn --server x profile re', 'remove\tRemove a profile that nobody is signed in with.'",
    "'cairn completion fi', 'fish'",
    "'cairn login --with', '--with-password\tAsk for e-mail and password, or read two lines from"
        + " standard input.'",
    "'cairn open Country/BG --pri', '--print\tOnly print the URL.'",
    "'cairn whoami --pri', ''"
  })
  void fish_completes_commands_options_and_values(String typed, String offered) throws Exception {
    assertEquals(
        offered.isEmpty() ? "" : offered + "\n", shell("fish", "complete -C '" + typed + "'"));
  }
}

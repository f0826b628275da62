package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs sprites as child processes in a fresh directory; {@code docs/sprites.md}, The local backend,
 * has the protections and their limits.
 */
@ApplicationScoped
class LocalBackend implements SpriteBackend {
  static final String NAME = "local";

  /** The {@code PATH} of checkouts and commands, regardless of that of the service. */
  static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private static final String COMMAND = "CAIRN_COMMAND";

  /** Other users of the machine can read the arguments of a process, but not its environment. */
  private static final List<String> SHELL =
      List.of("/bin/sh", "-c", "eval \"unset %1$s; $%1$s\"".formatted(COMMAND));

  private static final Path NOTHING = Path.of("/dev/null");

  private final LocalLimits limits;
  private final LocalRemains remains;

  LocalBackend(CairnConfig config, LocalRemains remains) {
    this.limits = new LocalLimits(config.sprite().local());
    this.remains = remains;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SpriteExit begin(SpriteRun run) throws SpriteException, InterruptedException {
    return run(run, LocalUser.take(), limits, remains);
  }

  static SpriteExit run(SpriteRun run, LocalUser user, LocalLimits limits, LocalRemains remains)
      throws SpriteException, InterruptedException {
    try (var directory = LocalDirectory.make(user, remains)) {
      return run(run, directory, new LocalProcesses(run, directory, limits));
    } catch (ClosedByInterruptException e) {
      throw new InterruptedException("The attempt was cancelled.");
    } catch (IOException e) {
      throw SpriteException.retryable(
              SpriteError.SPRITE_CREATE_FAILED, "The command cannot be started.")
          .with(e.toString());
    }
  }

  private static SpriteExit run(SpriteRun run, LocalDirectory directory, LocalProcesses processes)
      throws IOException, SpriteException, InterruptedException {
    var variables = new HashMap<>(run.environment());
    if (run.git() == null) {
      variables.putAll(run.secrets());
    } else {
      checkOut(run.git(), directory, processes);
      // The checkout may have taken almost the whole time of the run, so secrets are read again.
      variables.putAll(run.renewal().secrets());
    }
    variables.put(COMMAND, run.command());
    var stdin = give(run, directory, variables);
    return processes.run(new LocalCommand(SHELL, environment(directory), variables, stdin));
  }

  /** Provides the input; returns the file for the standard input. */
  private static Path give(SpriteRun run, LocalDirectory directory, Map<String, String> variables)
      throws IOException, SpriteException, InterruptedException {
    switch (run.inputMode()) {
      case STDIN -> {
        return directory.piped(run.input());
      }
      case JSON_FILE ->
          variables.put(
              SpriteRun.INPUT_PATH, directory.input(run.inputPath(), run.input()).toString());
      case ENV -> variables.put(SpriteRun.INPUT, new String(run.input().bytes(), UTF_8));
    }
    return NOTHING;
  }

  /** An environment without variables of the service. */
  private static Map<String, String> environment(LocalDirectory directory) {
    return Map.of(
        "PATH",
        PATH,
        "HOME",
        directory.home().toString(),
        "TMPDIR",
        directory.home().toString(),
        "LANG",
        "C.UTF-8");
  }

  private static void checkOut(GitSource git, LocalDirectory directory, LocalProcesses processes)
      throws IOException, SpriteException, InterruptedException {
    var variables = GitCommands.environment(git);
    git.authorization().ifPresent(header -> variables.put(GitCommands.AUTHORIZATION, header));
    for (var line : GitCommands.checkOut(git)) {
      var exit = processes.run(new LocalCommand(line, environment(directory), variables, NOTHING));
      if (exit.status() != 0) {
        throw SpriteException.retryable(
                SpriteError.SPRITE_CREATE_FAILED,
                "`%s` of `%s` cannot be checked out.".formatted(git.ref(), git.name()))
            .with(exit.failureOutput());
      }
    }
  }
}

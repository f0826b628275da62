package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs sprites as child processes in a fresh directory; {@code docs/sprites.md}, The local backend,
 * says what that protects from what.
 */
@ApplicationScoped
class LocalBackend implements SpriteBackend {
  /** What a checkout and a command get, whatever the service itself was started with. */
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private final LocalLimits limits;

  LocalBackend(CairnConfig config) {
    this.limits = new LocalLimits(config.sprite().local());
  }

  @Override
  public String name() {
    return "local";
  }

  @Override
  public SpriteExit begin(SpriteRun run) throws SpriteException, InterruptedException {
    try (var user = LocalUser.take()) {
      return run(run, user, limits);
    }
  }

  static SpriteExit run(SpriteRun run, LocalUser user, LocalLimits limits)
      throws SpriteException, InterruptedException {
    try (var directory = LocalDirectory.make(user)) {
      return run(run, directory, new LocalProcesses(run, user, limits));
    } catch (IOException e) {
      throw SpriteException.retryable(
          SpriteError.SPRITE_CREATE_FAILED, "The command cannot be started: " + e.getMessage());
    }
  }

  private static SpriteExit run(SpriteRun run, LocalDirectory directory, LocalProcesses processes)
      throws IOException, SpriteException, InterruptedException {
    if (run.git() != null) {
      checkOut(run.git(), directory, processes);
    }
    var builder = builder(directory, List.of("/bin/sh", "-c", run.command()));
    builder.environment().putAll(run.variables());
    give(run, directory, builder);
    return processes.run(builder);
  }

  private static void give(SpriteRun run, LocalDirectory directory, ProcessBuilder builder)
      throws IOException, SpriteException, InterruptedException {
    switch (run.inputMode()) {
      case STDIN -> builder.redirectInput(directory.piped(run.input()).toFile());
      case JSON_FILE ->
          builder
              .environment()
              .put(SpriteRun.INPUT_PATH, directory.input(run.inputPath(), run.input()).toString());
      case ENV ->
          builder.environment().put(SpriteRun.INPUT, new String(run.input().bytes(), UTF_8));
    }
  }

  /** One that inherits nothing of the service. */
  private static ProcessBuilder builder(LocalDirectory directory, List<String> command) {
    var builder =
        new ProcessBuilder(command)
            .directory(directory.work().toFile())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                PATH,
                "HOME",
                directory.home().toString(),
                "TMPDIR",
                directory.home().toString(),
                "LANG",
                "C.UTF-8"));
    return builder;
  }

  private static void checkOut(GitSource git, LocalDirectory directory, LocalProcesses processes)
      throws IOException, SpriteException, InterruptedException {
    for (var command : GitCommands.checkOut(git)) {
      var builder = builder(directory, command);
      builder.environment().putAll(GitCommands.environment(git));
      var exit = processes.run(builder);
      if (exit.status() != 0) {
        throw SpriteException.retryable(
                SpriteError.SPRITE_CREATE_FAILED,
                "%s of %s cannot be checked out.".formatted(git.ref(), git.url()))
            .with(exit.telling());
      }
    }
  }
}

package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.platform.Body;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** Runs for the tests of backends. */
final class Runs {
  static final String INPUT = "{\"type\":\"cairn.commit\",\"data\":\"grün\"}";

  private Runs() {}

  /** One that gets its input by {@code stdin}. */
  static SpriteRun of(String command) {
    return new SpriteRun(
        UUID.randomUUID(),
        1,
        "cairn-org-repo-sub",
        null,
        command,
        InputMode.STDIN,
        "input.json",
        Body.of(INPUT.getBytes(UTF_8)),
        null,
        Map.of("CAIRN_REPO", "org/repo"),
        Map.of(),
        Map::of,
        Duration.ofSeconds(60));
  }

  /** Begins a command, and looks at it until it has ended. */
  static SpriteExit end(SpriteBackend backend, SpriteRun run)
      throws SpriteException, InterruptedException {
    return switch (backend.begin(run)) {
      case SpriteExit exit -> exit;
      case SpriteCommand command -> {
        try {
          yield end(command);
        } finally {
          command.close();
        }
      }
    };
  }

  private static SpriteExit end(SpriteCommand command)
      throws SpriteException, InterruptedException {
    while (true) {
      if (command.poll() instanceof SpriteExit exit) {
        return exit;
      }
      Thread.sleep(10);
    }
  }

  static SpriteRun with(InputMode mode, String path, SpriteRun run) {
    return with(
        run,
        parts -> {
          parts.mode = mode;
          parts.path = path;
        });
  }

  static SpriteRun with(Duration timeout, SpriteRun run) {
    return with(run, parts -> parts.timeout = timeout);
  }

  static SpriteRun with(GitSource git, SpriteRun run) {
    return with(run, parts -> parts.git = git);
  }

  static SpriteRun with(Map<String, String> secrets, String pool, SpriteRun run) {
    return with(
        run,
        parts -> {
          parts.secrets = secrets;
          parts.pool = pool;
        });
  }

  static SpriteRun with(SpriteRun.Renewal renewal, SpriteRun run) {
    return with(run, parts -> parts.renewal = renewal);
  }

  static SpriteRun with(byte[] input, SpriteRun run) {
    return with(run, parts -> parts.input = Body.of(input));
  }

  private static SpriteRun with(SpriteRun run, Consumer<Parts> change) {
    var parts = new Parts(run);
    change.accept(parts);
    return new SpriteRun(
        run.runId(),
        run.attempt(),
        run.container(),
        parts.pool,
        run.command(),
        parts.mode,
        parts.path,
        parts.input,
        parts.git,
        run.environment(),
        parts.secrets,
        parts.renewal,
        parts.timeout);
  }

  /** What one run may have otherwise than another. */
  private static final class Parts {
    String pool;
    InputMode mode;
    String path;
    Body input;
    GitSource git;
    Map<String, String> secrets;
    SpriteRun.Renewal renewal;
    Duration timeout;

    Parts(SpriteRun run) {
      pool = run.pool();
      mode = run.inputMode();
      path = run.inputPath();
      input = run.input();
      git = run.git();
      secrets = run.secrets();
      renewal = run.renewal();
      timeout = run.timeout();
    }
  }
}

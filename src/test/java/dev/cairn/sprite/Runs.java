package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

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
        INPUT.getBytes(UTF_8),
        null,
        Map.of("CAIRN_REPO", "org/repo"),
        Map.of(),
        Duration.ofSeconds(60));
  }

  static SpriteRun with(InputMode mode, String path, SpriteRun run) {
    return new SpriteRun(
        run.runId(),
        run.attempt(),
        run.container(),
        run.pool(),
        run.command(),
        mode,
        path,
        run.input(),
        run.git(),
        run.environment(),
        run.secrets(),
        run.timeout());
  }

  static SpriteRun with(Duration timeout, SpriteRun run) {
    return new SpriteRun(
        run.runId(),
        run.attempt(),
        run.container(),
        run.pool(),
        run.command(),
        run.inputMode(),
        run.inputPath(),
        run.input(),
        run.git(),
        run.environment(),
        run.secrets(),
        timeout);
  }

  static SpriteRun with(GitSource git, SpriteRun run) {
    return new SpriteRun(
        run.runId(),
        run.attempt(),
        run.container(),
        run.pool(),
        run.command(),
        run.inputMode(),
        run.inputPath(),
        run.input(),
        git,
        run.environment(),
        run.secrets(),
        run.timeout());
  }

  static SpriteRun with(Map<String, String> secrets, String pool, SpriteRun run) {
    return new SpriteRun(
        run.runId(),
        run.attempt(),
        run.container(),
        pool,
        run.command(),
        run.inputMode(),
        run.inputPath(),
        run.input(),
        run.git(),
        run.environment(),
        secrets,
        run.timeout());
  }

  static SpriteRun with(byte[] input, SpriteRun run) {
    return new SpriteRun(
        run.runId(),
        run.attempt(),
        run.container(),
        run.pool(),
        run.command(),
        run.inputMode(),
        run.inputPath(),
        input,
        run.git(),
        run.environment(),
        run.secrets(),
        run.timeout());
  }
}

package dev.cairn.sprite;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The request to run a command; {@code docs/sprites.md}, The http backend.
 *
 * @param input the JSON, as a string
 * @param inputPath null unless the input is a file
 * @param secrets further variables of the environment, which the service must not show
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
record SpriteServiceRun(
    String container,
    String pool,
    String command,
    InputMode inputMode,
    String inputPath,
    String input,
    GitSource git,
    Map<String, String> environment,
    Map<String, String> secrets,
    long timeoutSeconds) {

  static SpriteServiceRun of(SpriteRun run, byte[] input) {
    return new SpriteServiceRun(
        run.container(),
        run.pool(),
        run.command(),
        run.inputMode(),
        run.inputMode() == InputMode.JSON_FILE ? run.inputPath() : null,
        new String(input, StandardCharsets.UTF_8),
        run.git(),
        run.environment(),
        run.secrets(),
        Math.max(1, run.timeout().toSeconds()));
  }

  /** Contains only what may be logged. */
  @Override
  public String toString() {
    return "SpriteServiceRun[" + container + "]";
  }
}

package dev.cairn.sprite;

import dev.cairn.platform.Body;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * A run, as the backend gets it.
 *
 * @param runId of the run that this is an attempt at
 * @param attempt its number, from 1
 * @param container the name of the execution environment
 * @param pool {@code org/repo/name} of the pool to take the environment from; null for none
 * @param command the command for the shell
 * @param inputPath of a {@code json-file}, relative to the working directory
 * @param input the JSON
 * @param git null if nothing is checked out
 * @param environment the variables that are not secret
 * @param secrets the variables that are secret
 * @param renewal reads the secrets again
 * @param timeout for everything together
 */
record SpriteRun(
    UUID runId,
    int attempt,
    String container,
    String pool,
    String command,
    InputMode inputMode,
    String inputPath,
    Body input,
    GitSource git,
    Map<String, String> environment,
    Map<String, String> secrets,
    Renewal renewal,
    Duration timeout) {

  /** The name of the variable with the input, or with the path of its file. */
  static final String INPUT = "CAIRN_INPUT";

  static final String INPUT_PATH = "CAIRN_INPUT_PATH";

  /** Reads the secrets again, for a command that begins long after they were first read. */
  interface Renewal {
    /**
     * The present secrets, which replace the earlier ones.
     *
     * @throws SpriteException if the command or one of its secrets may not be used any more, or the
     *     subscription has changed
     */
    Map<String, String> secrets() throws SpriteException;
  }

  /** The unique id of the attempt: letters, digits and hyphens. */
  String id() {
    return runId + "-" + attempt;
  }

  /** Contains only what may be logged. */
  @Override
  public String toString() {
    return "SpriteRun[" + id() + "]";
  }
}

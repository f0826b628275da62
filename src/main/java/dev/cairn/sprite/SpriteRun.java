package dev.cairn.sprite;

import dev.cairn.platform.Body;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * What a backend has to run.
 *
 * @param runId of the run that this is an attempt at
 * @param attempt its number, from 1
 * @param container the name of the execution environment
 * @param pool {@code org/repo/name} of the pool to take the environment from; null for none
 * @param command what the shell gets
 * @param inputPath of a {@code json-file}, relative to the working directory
 * @param input the JSON
 * @param git null if nothing is checked out
 * @param environment the variables that are not secret
 * @param secrets the variables that are
 * @param renewal of the secrets
 * @param timeout for all of it together
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

  /** The name of the variable that holds the input, or the path of the file that does. */
  static final String INPUT = "CAIRN_INPUT";

  static final String INPUT_PATH = "CAIRN_INPUT_PATH";

  /** For a command that begins long after its secrets were opened. */
  interface Renewal {
    /**
     * The secrets of this moment, in place of those from before.
     *
     * @throws SpriteException if the command or one of its secrets may not be used any more, or the
     *     subscription has changed
     */
    Map<String, String> secrets() throws SpriteException;
  }

  /** Names the attempt among all others: letters, digits and hyphens. */
  String id() {
    return runId + "-" + attempt;
  }

  /** Only what may be logged. */
  @Override
  public String toString() {
    return "SpriteRun[" + id() + "]";
  }
}

package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A program that is run for a sprite.
 *
 * @param line the program and its arguments
 * @param environment the variables that the service sets, also before the change of user
 * @param variables the variables that are set after the change of user; their names are valid in a
 *     shell
 * @param stdin the file that is its standard input
 */
record LocalCommand(
    List<String> line, Map<String, String> environment, Map<String, String> variables, Path stdin) {

  /** The variables as a shell script. */
  byte[] script() {
    return variables.entrySet().stream()
        .map(variable -> "export %s='%s'\n".formatted(variable.getKey(), quoted(variable)))
        .collect(Collectors.joining())
        .getBytes(UTF_8);
  }

  private static String quoted(Map.Entry<String, String> variable) {
    return variable.getValue().replace("'", "'\\''");
  }
}

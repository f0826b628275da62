package dev.cairn.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell that runs one example after the other, as a reader would type them in one terminal. A
 * command that fails, or a variable that has no value, ends it.
 */
final class Shell implements AutoCloseable {
  private static final String END = "--- the end of an example ---";

  private final Process process;
  private final BufferedReader output;
  private final Path statuses;
  private int answers;

  /**
   * Starts one.
   *
   * @param directory its working directory
   */
  Shell(Path directory) throws IOException {
    statuses = Files.createFile(directory.resolve("statuses"));
    process =
        new ProcessBuilder("sh", "-eu")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    run("PATH='%s/bin':$PATH".formatted(System.getProperty("java.home")));
    run(
        """
        curl() {
          command curl --silent --show-error --write-out '%%{stderr}%%{http_code} %%{url}\\n' "$@" \\
            2>> '%s'
        }
        """
            .formatted(statuses));
  }

  /** Runs commands; answers what they print. */
  String run(String commands) {
    try {
      var input = process.getOutputStream();
      // The commands read nothing of those that follow.
      input.write("{\n%s\n} < /dev/null\necho '\n%s'\n".formatted(commands, END).getBytes(UTF_8));
      input.flush();
      return read(commands);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String read(String commands) throws IOException {
    var lines = new ArrayList<String>();
    for (var line = output.readLine(); !END.equals(line); line = output.readLine()) {
      if (line == null) {
        throw new AssertionError(
            "It failed:\n%s\nIt printed:\n%s\nIts answers were:\n%s"
                .formatted(commands, String.join("\n", lines), Files.readString(statuses)));
      }
      lines.add(line);
    }
    return String.join("\n", lines);
  }

  /** The status and the URL of each answer that curl got since this was last asked. */
  List<String> answers() throws IOException {
    var all = Files.readAllLines(statuses);
    var fresh = List.copyOf(all.subList(answers, all.size()));
    answers = all.size();
    return fresh;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}

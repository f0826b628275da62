import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Other programs. */
final class Programs {
  private Programs() {}

  /**
   * The output of a program that succeeds.
   *
   * @param settings further environment variables
   */
  static String run(Map<String, String> settings, String... command) throws Exception {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(settings);
    var process = builder.start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", List.of(command)) + "\n" + said);
    }
    return said;
  }
}

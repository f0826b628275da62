package dev.cairn.platform;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether this machine can run commands for others; {@code docs/sprites.md}, The local backend. */
public final class LocalCommands {
  private LocalCommands() {}

  /** Whether the service is root, who runs nothing for others as itself. */
  public static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** What is missing, as the end of a sentence; empty where nothing is. */
  public static Optional<String> obstacle() {
    if (!Files.isExecutable(Path.of("/bin/sh"))) {
      return Optional.of("there is no /bin/sh.");
    }
    return isRoot() && !becomesOthers()
        ? Optional.of(
            "the service is root, and there is no `setpriv` (util-linux) to run commands as"
                + " somebody else.")
        : Optional.empty();
  }

  private static boolean becomesOthers() {
    return Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin")
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "setpriv")));
  }
}

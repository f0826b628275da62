package dev.cairn.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether this machine can run commands for others; {@code docs/sprites.md}, The local backend. */
public final class LocalCommands {
  private LocalCommands() {}

  /** Whether the service runs as root; if so, commands run as other users. */
  public static boolean isRoot() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }

  /** The absolute path of the program by which root changes to another user. */
  public static Optional<Path> setpriv() {
    return program("setpriv");
  }

  /** The absolute path of the program that leaves the terminal of the service. */
  public static Optional<Path> setsid() {
    return program("setsid");
  }

  /** Root must not look it up by {@code PATH}, which may name a directory of others. */
  private static Optional<Path> program(String name) {
    return Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin")
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** What is missing, as the end of a sentence; empty where nothing is. */
  public static Optional<String> obstacle() {
    if (!Files.isExecutable(Path.of("/bin/sh"))) {
      return Optional.of("there is no /bin/sh.");
    }
    return isRoot() && (setpriv().isEmpty() || setsid().isEmpty())
        ? Optional.of(
            "the service is root, and there is no `setpriv` or no `setsid` (util-linux) to run"
                + " commands as somebody else.")
        : Optional.empty();
  }
}

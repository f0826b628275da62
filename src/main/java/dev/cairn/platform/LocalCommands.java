package dev.cairn.platform;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether and how this machine can run commands; {@code docs/sprites.md}, The local backend. */
public final class LocalCommands {
  private static final String HIDE_FUSE =
      "[ ! -e /dev/fuse ] || %s --bind /dev/null /dev/fuse || exit; exec \"$@\"";

  private LocalCommands() {}

  /** Whether the service runs as root; if so, commands run as other users. */
  public static boolean isRoot() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }

  /** The absolute path of the program with which root changes to another user. */
  public static Optional<Path> setpriv() {
    return program("setpriv");
  }

  /**
   * The beginning of a command line, for root only. The rest runs as the first process of a PID
   * namespace, whose end kills all other processes there; without the terminal of the service; and
   * in an IPC namespace, so that no shared memory remains. {@code /dev/fuse} is hidden, because a
   * process that waits for its own file system cannot be killed.
   *
   * @throws java.util.NoSuchElementException if a program is missing, see {@link #obstacle}
   */
  public static List<String> container() {
    return List.of(
        program("setsid").orElseThrow().toString(),
        program("unshare").orElseThrow().toString(),
        "--pid",
        "--ipc",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "--",
        "/bin/sh",
        "-c",
        HIDE_FUSE.formatted(program("mount").map(Path::toString).orElse("false")),
        "sh");
  }

  /** Without {@code PATH}, which may name a directory that other users can write to. */
  private static Optional<Path> program(String name) {
    return Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin")
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** What is missing, as the end of a sentence; empty if nothing is. */
  public static Optional<String> obstacle() {
    if (!Files.isExecutable(Path.of("/bin/sh"))) {
      return Optional.of("there is no /bin/sh.");
    }
    if (!isRoot()) {
      return Optional.empty();
    }
    if (Stream.of("setpriv", "setsid", "unshare").anyMatch(name -> program(name).isEmpty())) {
      return Optional.of(
          "the service is root, and there is no `setpriv`, `setsid` or `unshare` (util-linux) to"
              + " run commands as another user.");
    }
    return canContain()
        ? Optional.empty()
        : Optional.of(
            "the service is root, and may not create a PID namespace (CAP_SYS_ADMIN), without which"
                + " commands could outlive their end, or there is no `mount` to hide /dev/fuse from"
                + " them. Run the service as another user.");
  }

  private static boolean canContain() {
    var line = Stream.concat(container().stream(), Stream.of("/bin/sh", "-c", ":")).toList();
    var builder =
        new ProcessBuilder(line).redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
    // The secrets of the service are for no other program.
    builder.environment().clear();
    try {
      return builder.start().onExit().join().exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}

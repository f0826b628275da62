package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The resource limits of each process of a local command and, if the command has its own user, of
 * the number of processes; {@code docs/sprites.md}, The local backend. The shell sets these limits,
 * so that no other program is needed. Lower limits of the machine stay.
 */
record LocalLimits(CairnConfig.Local config) {
  private static final int KIB_IN_MIB = 1024;

  /** The unit in which the shell limits the length of files. */
  private static final int BLOCKS_IN_MIB = 2048;

  /**
   * The variables are read first, as a script on the standard input, so that they are neither in an
   * environment before the change of user nor in a list of arguments. A shell may exit if it cannot
   * set a limit, so each limit is first tried in a subshell. The option of {@code ulimit} for
   * processes is {@code -p} or {@code -u}, depending on the shell.
   */
  private static final String SET =
      """
      eval "$(cat)"
      exec <"$6"
      cap() { (ulimit "$@") 2>/dev/null && ulimit "$@"; }
      cap -c 0; cap -d "$1"; cap -t "$2"; cap -f "$3"; cap -n "$4"
      if [ -n "$5" ]; then cap -p "$5" || cap -u "$5"; fi
      shift 6
      exec "$@"
      """;

  /**
   * The command line that runs another command line with the limits.
   *
   * @param stdin the file for its standard input
   * @param hasOwnUser whether its user has no other processes, so that they can be limited
   */
  List<String> around(List<String> command, Path stdin, boolean hasOwnUser) {
    var set =
        Stream.of(
            "/bin/sh",
            "-c",
            SET,
            "sh",
            Long.toString((long) config.memoryMib() * KIB_IN_MIB),
            Integer.toString(config.cpuSeconds()),
            Long.toString((long) config.fileMib() * BLOCKS_IN_MIB),
            Integer.toString(config.openFiles()),
            hasOwnUser ? Integer.toString(config.processes()) : "",
            stdin.toString());
    return Stream.concat(set, command.stream()).toList();
  }

  /** The errors in the settings, as for {@code StartupCheck}. */
  Stream<String> faults() {
    return Stream.of(
            fault("memory-mib", config.memoryMib()),
            fault("cpu-seconds", config.cpuSeconds()),
            fault("file-mib", config.fileMib()),
            fault("open-files", config.openFiles()),
            fault("processes", config.processes()))
        .flatMap(faults -> faults);
  }

  private static Stream<String> fault(String name, int max) {
    var variable = name.replace('-', '_').toUpperCase(Locale.ROOT);
    return max > 0
        ? Stream.empty()
        : Stream.of(
            "cairn.sprite.local.%s (CAIRN_SPRITE_LOCAL_%s) must be at least 1."
                .formatted(name, variable));
  }
}

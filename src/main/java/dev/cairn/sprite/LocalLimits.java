package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What one process of a local command may use, and, if it has a user of its own, how many there may
 * be; {@code docs/sprites.md}, The local backend. The shell sets these limits, so that no other
 * program is needed. Lower limits of the machine stay.
 */
record LocalLimits(CairnConfig.Local config) {
  private static final int KIB_IN_MIB = 1024;

  /** As the shell counts the length of a file. */
  private static final int BLOCKS_IN_MIB = 2048;

  /**
   * The variables come first, as a script on the standard input: so they are in no environment
   * before the change of user, and in no list of arguments. A shell may end when it cannot set a
   * limit, so each is first tried in a subshell. For processes, the option of {@code ulimit} is
   * {@code -p} or {@code -u}, by the kind of shell.
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
   * The command line that runs another one within the limits.
   *
   * @param stdin what it gets as its standard input
   * @param hasOwnUser whether only its own processes count for its user
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

  /** The settings that are no limits. */
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

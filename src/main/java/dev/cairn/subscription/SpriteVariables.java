package dev.cairn.subscription;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which keys of a credential set a sprite may have as variables of its environment: none that
 * changes what the loader, the C library or a shell does. The rules are in {@code
 * docs/credentials.md}, Variables of sprites.
 */
public final class SpriteVariables {
  /** The rule, for the detail of a problem. */
  static final String RULE =
      "A variable of a sprite must be an upper-case letter followed by at most 63 upper-case"
          + " letters, digits or '_', and must not be one that the loader, a shell or Cairn uses,"
          + " such as `LD_PRELOAD`, `PATH` or `CAIRN_TOKEN`.";

  private static final Pattern NAME = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

  private static final Pattern RESERVED = Pattern.compile("(CAIRN|LD|DYLD|GLIBC|MALLOC|BASH)_.*");

  private static final Set<String> RESERVED_NAMES =
      Set.of(
          "BASHOPTS",
          "CDPATH",
          "ENV",
          "EUID",
          "EXECIGNORE",
          "FUNCNEST",
          "GCONV_PATH",
          "GETCONF_DIR",
          "GLOBIGNORE",
          "HOME",
          "HOSTALIASES",
          "IFS",
          "LOCALDOMAIN",
          "LOCPATH",
          "LOGNAME",
          "NIS_PATH",
          "NLSPATH",
          "OPTIND",
          "PATH",
          "POSIXLY_CORRECT",
          "PPID",
          "PROMPT_COMMAND",
          "PS4",
          "RESOLV_HOST_CONF",
          "RES_OPTIONS",
          "SHELL",
          "SHELLOPTS",
          "TMPDIR",
          "TZDIR",
          "UID",
          "USER");

  private SpriteVariables() {}

  /** Whether a sprite may have a variable of this name from a credential set. */
  public static boolean isAllowed(String name) {
    return NAME.matcher(name).matches()
        && !RESERVED.matcher(name).matches()
        && !RESERVED_NAMES.contains(name);
  }

  /** The first of the names, sorted, that a sprite may not have; empty for none. */
  public static Optional<String> firstRefused(Collection<String> names) {
    return names.stream().sorted().filter(name -> !isAllowed(name)).findFirst();
  }
}

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The kinds of requests that others make while an attack goes on. */
enum Probe {
  PUBLIC_READS("public reads", 100),
  PUBLIC_SEARCHES("public searches", 500),
  SIGNED_IN_READS("signed in reads", 100),
  MCP_READS("MCP reads", 250),
  COMMITS("commits", 500),
  COMMITS_OF_200_KB("commits of 200 kB", 1000),
  COMMITS_BESIDE_RENAMES("commits beside the renames", 1000);

  /** Nobody else should wait longer than this for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("patience", 5));

  /** A commit may wait this long for those before it. */
  private static final Duration MAX_COMMIT_WAIT = Duration.ofSeconds(30);

  /** Those that are made in each attack. */
  static final Set<Probe> ALWAYS =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(COMMITS_BESIDE_RENAMES)));

  private final String label;
  private final long everyMilliseconds;

  Probe(String label, long everyMilliseconds) {
    this.label = label;
    this.everyMilliseconds = everyMilliseconds;
  }

  String label() {
    return label;
  }

  /** The time from the beginning of one to that of the next. */
  Duration interval() {
    return Duration.ofMillis(everyMilliseconds);
  }

  /** The longest time that an answer may take. */
  Duration patience() {
    return this == COMMITS_BESIDE_RENAMES ? MAX_COMMIT_WAIT : PATIENCE;
  }
}

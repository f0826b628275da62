import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came of an attack, as a row of the table.
 *
 * @param got what the attacker got
 * @param others what others got meanwhile; empty if there were none
 * @param memory the most memory that the process used; empty if it was not watched
 */
record Result(String got, String others, String memory, Verdict verdict) {
  enum Verdict {
    HELD("yes"),
    NOT_HELD("**no**"),
    SKIPPED("skipped");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    static Verdict of(boolean held) {
      return held ? HELD : NOT_HELD;
    }
  }

  private static final int MAX_CELL = 1_000;

  static final String HEADER =
      """
      | Attack | The attacker got | Others got: median / p99 / worst in ms | Peak memory | Held |
      |---|---|---|---|---|""";

  /** The result of an attack without others, such as one in which the service does not start. */
  static Result of(String got, boolean held) {
    return new Result(got, "", "", Verdict.of(held));
  }

  /** An attack that could not be carried out has shown nothing, so it counts as not held. */
  static Result brokenOff(String why) {
    return new Result("the attack broke off: " + why, "", "", Verdict.NOT_HELD);
  }

  /** The result of an attack that this machine cannot carry out. */
  static Result skipped(String why) {
    return new Result(why, "", "", Verdict.SKIPPED);
  }

  String row(String attack) {
    return Stream.of(attack, got, others, memory, verdict.label)
        .map(Result::cell)
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  private static String cell(String text) {
    var cell = text.replaceAll("\\s+", " ").replace("|", "\\|").strip();
    return cell.length() > MAX_CELL ? cell.substring(0, MAX_CELL) + "…" : cell;
  }
}

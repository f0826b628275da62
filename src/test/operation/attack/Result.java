/**
 * What came of an attack, as a row of the table.
 *
 * @param got what the attacker got
 * @param others what others got meanwhile; empty if the attack is not about load
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

  static final String HEADER =
      """
      | Attack | Attacker got | Others meanwhile: p50 / p99 / worst in ms, failed of all | Peak memory | Held |
      |---|---|---|---|---|""";

  /** The result of an attack whose success does not depend on load. */
  static Result of(String got, boolean held) {
    return new Result(got, "", "", Verdict.of(held));
  }

  /** The result of an attack that this machine cannot carry out. */
  static Result skipped(String why) {
    return new Result(why, "", "", Verdict.SKIPPED);
  }

  String row(String attack) {
    return "| " + String.join(" | ", attack, got, others, memory, verdict.label) + " |";
  }
}

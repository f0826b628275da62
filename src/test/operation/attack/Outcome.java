/**
 * The outcome of one request of the {@linkplain OtherCallers other callers}.
 *
 * @param phase the number of the phase in which it began
 * @param failure why it failed, such as its status; empty if it did not
 */
record Outcome(int phase, Probe probe, long nanosTaken, String failure) {
  private static final String SEPARATOR = "\t";

  static Outcome of(String line) {
    var parts = line.split(SEPARATOR, -1);
    return new Outcome(
        Integer.parseInt(parts[0]), Probe.valueOf(parts[1]), Long.parseLong(parts[2]), parts[3]);
  }

  String line() {
    return String.join(SEPARATOR, "" + phase, probe.name(), "" + nanosTaken, failure);
  }
}

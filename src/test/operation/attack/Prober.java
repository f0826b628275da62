import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Starts {@link OtherCallers}, and reports the outcomes of their requests. */
final class Prober implements AutoCloseable {
  private static final Duration WARM_UP = Scale.seconds("warmUp", 5);

  /** After this time there were requests of each kind. */
  private static final Duration SHORTEST_PHASE = Duration.ofSeconds(3);

  private final Service service;
  private final Process process;
  private final BufferedReader answers;
  private final Set<Probe> probes = EnumSet.copyOf(Probe.ALWAYS);
  private final List<Phase> phases = new ArrayList<>();

  private Prober(Service service) throws Exception {
    this.service = service;
    var source =
        Path.of(Prober.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolveSibling("OtherCallers.java");
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    var builder =
        new ProcessBuilder(
                java.toString(),
                "-Xmx256m",
                source.toString(),
                "" + service.port(),
                "" + service.processId())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    process = Priority.start(builder);
    answers = process.inputReader(StandardCharsets.UTF_8);
    phases.add(new Phase(probes));
  }

  /** Begins to call as an account of its own; the first seconds, which warm up, do not count. */
  static Prober start(Service service) throws Exception {
    var prober = new Prober(service);
    try {
      if (!prober.answer().equals(OtherCallers.READY)) {
        throw new IllegalStateException("the other callers did not begin");
      }
      Thread.sleep(WARM_UP);
      prober.endPhase();
      return prober;
    } catch (Exception e) {
      prober.close();
      throw e;
    }
  }

  /** The requests that began in a part of the time; known when there is a result. */
  static final class Phase {
    private final Map<Probe, Latencies> latencies = new EnumMap<>(Probe.class);
    private final long begin = System.nanoTime();

    private Phase(Set<Probe> probes) {
      probes.forEach(probe -> latencies.put(probe, new Latencies()));
    }

    private void add(Outcome outcome) {
      var counted = latencies.computeIfAbsent(outcome.probe(), _ -> new Latencies());
      if (outcome.failure().isEmpty()) {
        counted.succeeded(outcome.nanosTaken());
      } else {
        counted.failed(outcome.failure(), outcome.nanosTaken());
      }
    }

    private Duration restOfShortest() {
      return SHORTEST_PHASE.minusNanos(System.nanoTime() - begin);
    }

    /** Whether everybody got an answer in time. */
    boolean isServed() {
      return latencies.entrySet().stream()
          .allMatch(entry -> isServed(entry.getKey(), entry.getValue()));
    }

    private static boolean isServed(Probe probe, Latencies of) {
      return of.count() > 0
          && of.failed() == 0
          && of.milliseconds(1) <= probe.patience().toMillis();
    }

    @Override
    public String toString() {
      return latencies.entrySet().stream()
          .map(entry -> entry.getKey().label() + " " + entry.getValue())
          .collect(Collectors.joining("; "));
    }
  }

  /** Counts from now on for another phase; the one that ends. */
  Phase endPhase() throws IOException {
    say(OtherCallers.NEXT_PHASE);
    var ended = phases.getLast();
    phases.add(new Phase(probes));
    return ended;
  }

  /**
   * From the next phase on, the other callers also commit to this repository, in which somebody
   * renames. Their account must be able to.
   */
  void commitTo(String repository) throws IOException {
    say(OtherCallers.COMMIT_TO + " " + repository);
    probes.add(Probe.COMMITS_BESIDE_RENAMES);
  }

  private void say(String line) throws IOException {
    var orders = process.outputWriter(StandardCharsets.UTF_8);
    orders.write(line + "\n");
    orders.flush();
  }

  private String answer() throws IOException {
    var line = answers.readLine();
    if (line == null) {
      throw new IllegalStateException("the process of the other callers ended");
    }
    return line;
  }

  /** The result of an attack that held if others were served and the process lives. */
  Result result(String got) throws Exception {
    return result(got, true);
  }

  /** The same, with a condition of the attack itself: it did not hold if {@code held} is false. */
  Result result(String got, boolean held) throws Exception {
    var phase = phases.getLast();
    Thread.sleep(phase.restOfShortest());
    say(OtherCallers.END);
    var line = answer();
    for (; !line.startsWith(OtherCallers.MEMORY); line = answer()) {
      var outcome = Outcome.of(line);
      phases.get(outcome.phase()).add(outcome);
    }
    return new Result(
        got,
        phase.toString(),
        memory(line.substring(OtherCallers.MEMORY.length())),
        Result.Verdict.of(
            held && phase.isServed() && service.isAlive() && !service.ranOutOfMemory()));
  }

  private String memory(String peak) throws IOException {
    return "%s%s%s"
        .formatted(
            peak,
            service.ranOutOfMemory() ? ", OutOfMemoryError" : "",
            service.isAlive() ? "" : ", the process died");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

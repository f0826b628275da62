import java.util.Map;

/** No attack at all: what everybody gets on this machine at this moment. */
final class Quiet {
  private Quiet() {}

  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      Thread.sleep(Scale.seconds("quiet", 20));
      return prober.result("nothing was attacked");
    }
  }
}

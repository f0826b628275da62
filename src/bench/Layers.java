import io.vertx.core.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a read costs layer by layer: the time of all processors for each request, which client,
 * service and database keep busy. The difference between two lines is what the layers between them
 * cost; the client costs the same in each.
 */
final class Layers {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final int turns;
  private final int warm;
  private final Map<String, Load.Request> requests = new LinkedHashMap<>();

  /**
   * Measures with these numbers of turns.
   *
   * @param thing the path of a thing
   */
  Layers(BareServer bare, Map<String, Service> subjects, String thing, int turns, int warm)
      throws Exception {
    this.turns = turns;
    this.warm = warm;
    requests.put("bare Vert.x, 304", _ -> bare(bare, "/unchanged"));
    requests.put("bare Vert.x and JDBC on a virtual thread, one thing", _ -> bare(bare, "/thing"));
    for (var subject : subjects.entrySet()) {
      var service = subject.getValue();
      var condition = Map.of("If-None-Match", service.get(thing).headers().get("ETag"));
      var name = subject.getKey() + ": ";
      requests.put(
          name + "a REST resource without database",
          _ -> send(service, "/.well-known/oauth-protected-resource", Map.of()));
      requests.put(
          name + "one thing, 304: sign-in and authorization, one round trip",
          _ -> send(service, thing, condition));
      requests.put(name + "one thing", _ -> send(service, thing, Map.of()));
    }
  }

  private static int bare(BareServer bare, String path) throws Exception {
    bare.client.expect(HttpMethod.GET, bare.url(path) + "?t1", Map.of(), null);
    return 1;
  }

  private static int send(Service service, String path, Map<String, String> headers)
      throws Exception {
    service.send(HttpMethod.GET, path, headers, null);
    return 1;
  }

  /** Measures all in turns; returns the medians in microseconds, with the least and the most. */
  String table() throws Exception {
    var micros = new LinkedHashMap<String, double[]>();
    for (int turn = -warm; turn < turns; turn++) {
      for (var request : requests.entrySet()) {
        double rate = Load.each(request.getValue());
        if (turn >= 0) {
          micros.computeIfAbsent(request.getKey(), _ -> new double[turns])[turn] =
              PROCESSORS * 1e6 / rate;
        }
      }
    }
    return micros.entrySet().stream()
        .map(
            one ->
                "| %s | %s |%n".formatted(one.getKey(), Turns.spread("%,.0f µs", one.getValue())))
        .collect(
            Collectors.joining(
                "",
                "| Layer | Processor time of a request, median (least to most) |\n|---|---|\n",
                ""));
  }
}

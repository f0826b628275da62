import static java.nio.charset.StandardCharsets.UTF_8;

import module java.base;
import module java.net.http;
import module jdk.httpserver;

/**
 * Asserts a {@code Cycle} about each {@code Dependency/from/to} that lies on a cycle. {@code
 * OWN_URL} is where it listens, {@code REPOSITORY} the repository's URL, {@code COMPONENT_TOKEN}
 * the component's token there, and {@code SIGNING_SECRET} what Cairn signs its calls with.
 */
final class Server {
  private static final URI OWN = URI.create(env("OWN_URL"));
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** The request leaves out all other text of a dependency, so that a pattern can read it. */
  private static final Pattern DEPENDENCY =
      Pattern.compile("\"wref\":\"Dependency/([\\w.-]+)/([\\w.-]+)\",.*?\"data\":\\{(.*?)}");

  void main() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(OWN.getHost(), OWN.getPort()), 0);
    server.createContext("/", Server::serve);
    server.setExecutor(Executors.newFixedThreadPool(8)); // Each of them may hold a body.
    server.start();
    IO.println("Listening at " + OWN);
  }

  private static String env(String name) {
    return Objects.requireNonNull(System.getenv(name), name);
  }

  private static void serve(HttpExchange call) {
    try (call) {
      var body = call.getRequestBody().readNBytes(32 << 20);
      var path = call.getRequestURI().getPath();
      boolean isTrusted = path.equals("/health") || isSigned(call, body);
      var answer =
          switch (isTrusted ? path : "") {
            case "/deliveries" -> assertCycles(env("COMPONENT_TOKEN"));
            case "/setup" -> assertCycles(setupToken(new String(body, UTF_8)));
            case "/cycles" -> list(cycles(env("COMPONENT_TOKEN")), "{", "\"%s\":%s", "}");
            case "/health" -> "{}";
            default -> "";
          };
      call.sendResponseHeaders(!isTrusted ? 401 : answer.isEmpty() ? 404 : 200, 0);
      call.getResponseBody().write(answer.getBytes(UTF_8));
    } catch (Exception e) {
      e.printStackTrace(); // Without an answer, Cairn delivers the commit again.
    }
  }

  /** The token in a setup call; the component's own if there is none. */
  private static String setupToken(String call) {
    var token = Pattern.compile("\"setupToken\":\"(\\w+)\"").matcher(call);
    return token.find() ? token.group(1) : env("COMPONENT_TOKEN");
  }

  /** Whether Cairn has signed the body within five minutes; of a GET, this server's URL. */
  private static boolean isSigned(HttpExchange call, byte[] body) throws Exception {
    var headers = call.getRequestHeaders();
    var time = headers.getOrDefault("webhook-timestamp", List.of("0")).getFirst();
    var signatures = headers.getOrDefault("webhook-signature", List.of()).toString();
    var mac = Mac.getInstance("HmacSHA256");
    var key = Base64.getDecoder().decode(env("SIGNING_SECRET").replaceFirst("^whsec_", ""));
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((headers.getFirst("webhook-id") + "." + time + ".").getBytes(UTF_8));
    mac.update(body.length > 0 ? body : (env("OWN_URL") + call.getRequestURI()).getBytes(UTF_8));
    var expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal());
    return Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) < 300
        && Stream.of(signatures.split("[ \\[\\]]"))
            .anyMatch(it -> MessageDigest.isEqual(it.getBytes(UTF_8), expected.getBytes(UTF_8)));
  }

  /** Asserts what is not asserted yet: a delivery that comes twice makes nothing twice. */
  private static String assertCycles(String token) throws Exception {
    var cycles = cycles(token);
    if (!cycles.isEmpty()) {
      var add =
          """
          {"operation":"add","name":"Cycle/%1$s","about":"Dependency/%1$s",\
          "data":{"members":%2$s},"skipExisting":true}\
          """;
      var commit = list(cycles, "{\"operations\":[", add, "]}");
      send(cairn("/commits", token).POST(HttpRequest.BodyPublishers.ofString(commit)));
    }
    return "{\"cycles\":" + cycles.size() + "}";
  }

  private static String list(Map<String, String> of, String begin, String each, String end) {
    return of.entrySet().stream()
        .map(entry -> each.formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(",", begin, end));
  }

  /** Of each {@code from/to} on a cycle, as JSON: all that depend on each other there. */
  private static Map<String, String> cycles(String token) throws Exception {
    var next = dependencies(token);
    var reached = new HashMap<String, Set<String>>();
    next.keySet().forEach(from -> reached.put(from, reached(next, from)));
    var cycles = new TreeMap<String, String>();
    next.forEach(
        (from, direct) -> {
          var members = new TreeSet<>(reached.get(from));
          members.removeIf(to -> !reached.getOrDefault(to, Set.of()).contains(from));
          direct.retainAll(members);
          var json = members.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
          direct.forEach(to -> cycles.put(from + "/" + to, json));
        });
    return cycles;
  }

  private static Set<String> reached(Map<String, Set<String>> next, String from) {
    var reached = new HashSet<>(next.get(from));
    for (var queue = new ArrayDeque<>(reached); !queue.isEmpty(); ) {
      next.getOrDefault(queue.remove(), Set.of()).stream().filter(reached::add).forEach(queue::add);
    }
    return reached;
  }

  /** What each depends on, without what is optional. */
  private static Map<String, Set<String>> dependencies(String token) throws Exception {
    var next = new TreeMap<String, Set<String>>();
    for (var path = "/head?shape=Dependency&fields=optional&limit=500"; !path.isEmpty(); ) {
      var page = send(cairn(path, token));
      DEPENDENCY
          .matcher(page.body())
          .results()
          .filter(it -> !it.group(3).contains("true"))
          .forEach(it -> next.computeIfAbsent(it.group(1), _ -> new TreeSet<>()).add(it.group(2)));
      path = page.headers().firstValue("Link").orElse("").replaceAll(".*(/head.*)>.*", "$1");
    }
    return next;
  }

  private static HttpRequest.Builder cairn(String path, String token) {
    return HttpRequest.newBuilder(URI.create(env("REPOSITORY") + path))
        .timeout(Duration.ofSeconds(10))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json");
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    var answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(answer.body());
    }
    return answer;
  }
}

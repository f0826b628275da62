import static java.nio.charset.StandardCharsets.UTF_8;

import module java.base;
import module java.net.http;
import module jdk.httpserver;

/**
 * Counts the things of a shape, describes the numbers in one of their fields, and keeps both as
 * {@code Summary/<shape>}. {@code OWN_URL} is where it listens, {@code REPOSITORY} the repository's
 * URL, {@code COMPONENT_TOKEN} the component's token there, and {@code SIGNING_SECRET} what Cairn
 * signs its calls with.
 */
final class Server {
  private static final URI OWN = URI.create(env("OWN_URL"));
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Where a pattern is enough to read JSON: quotes in texts are escaped, and so match nothing. */
  private static final Pattern ARGS = Pattern.compile("\"args\":\\{([^{}]*)}");

  private static final Pattern COUNT = Pattern.compile("\\{\"count\":(\\d+)");
  private static final Pattern SETUP_TOKEN = Pattern.compile("\"setupToken\":\"(\\w+)\"");

  /** The request leaves out all data but one field. */
  private static final Pattern NUMBER = Pattern.compile("\"data\":\\{\"[\\w-]+\":(-?[\\d.eE+-]+)}");

  private record Answer(int status, String json) {}

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
      var body = call.getRequestBody().readNBytes(1 << 20);
      var answer = answer(call, call.getRequestURI().getPath(), body);
      call.getResponseHeaders().set("Content-Type", "application/json");
      call.sendResponseHeaders(answer.status(), 0);
      call.getResponseBody().write(answer.json().getBytes(UTF_8));
    } catch (Exception e) {
      e.printStackTrace(); // Cairn tells the caller that there is no answer.
    }
  }

  private static Answer answer(HttpExchange call, String path, byte[] body) throws Exception {
    if (path.equals("/health")) {
      return new Answer(200, "{}");
    }
    var text = new String(body, UTF_8);
    if (!isSigned(call.getRequestHeaders(), body)) {
      return new Answer(401, "{\"error\":\"The signature is missing, wrong or old.\"}");
    }
    if (path.equals("/setup") && text.contains("\"type\":\"cairn.component.setup\"")) {
      var token = first(SETUP_TOKEN, text);
      return new Answer(200, "{\"entities\":%s}".formatted(first(COUNT, send("/count", token))));
    }
    // A call that was meant for another server is none for this one.
    if (path.equals("/summarize") && text.contains("\"url\":\"%s/summarize\"".formatted(OWN))) {
      return summarize(argument(text, "shape"), argument(text, "field"));
    }
    return new Answer(404, "{\"error\":\"There is no such path.\"}");
  }

  /** Whether Cairn has signed the body within five minutes, by the rules of Standard Webhooks. */
  private static boolean isSigned(Headers headers, byte[] body) throws Exception {
    var time = headers.getOrDefault("webhook-timestamp", List.of("0")).getFirst();
    var signatures = headers.getOrDefault("webhook-signature", List.of()).toString();
    var mac = Mac.getInstance("HmacSHA256");
    var key = Base64.getDecoder().decode(env("SIGNING_SECRET").replaceFirst("^whsec_", ""));
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((headers.getFirst("webhook-id") + "." + time + ".").getBytes(UTF_8));
    var expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    return Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) < 300
        && Stream.of(signatures.split("[ \\[\\]]"))
            .anyMatch(it -> MessageDigest.isEqual(it.getBytes(UTF_8), expected.getBytes(UTF_8)));
  }

  private static String first(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().orElseThrow().group(1);
  }

  /** An argument, which is the name of a shape or of a field; empty if it is not given. */
  private static String argument(String text, String name) {
    var found = Pattern.compile("\"%s\":\"([\\w-]+)\"".formatted(name)).matcher(first(ARGS, text));
    return found.find() ? found.group(1) : "";
  }

  private static Answer summarize(String shape, String field) throws Exception {
    var token = env("COMPONENT_TOKEN");
    var count = shape.isEmpty() ? "0" : first(COUNT, send("/count?shape=" + shape, token));
    if (count.equals("0")) {
      return new Answer(404, "{\"error\":\"There is nothing of this shape.\"}");
    }
    var summary = "{\"count\":%s%s}".formatted(count, field.isEmpty() ? "" : numbers(shape, field));
    // Both operations together write it whether or not it exists, and nothing if it is the same.
    var commit =
        """
        {"operations": [
          {"operation": "add", "name": "Summary/%1$s", "data": %2$s, "skipExisting": true},
          {"operation": "revise", "name": "Summary/%1$s", "data": %2$s, "active": true}]}
        """;
    var body = HttpRequest.BodyPublishers.ofString(commit.formatted(shape, summary));
    send(cairn("/commits", token).POST(body));
    return new Answer(200, summary);
  }

  private static String numbers(String shape, String field) throws Exception {
    var numbers = new DoubleSummaryStatistics();
    var path = "/head?limit=500&shape=%s&fields=%s".formatted(shape, field);
    while (!path.isEmpty()) {
      var page = send(cairn(path, env("COMPONENT_TOKEN")));
      NUMBER
          .matcher(page.body())
          .results()
          .forEach(it -> numbers.accept(Double.parseDouble(it.group(1))));
      path = page.headers().firstValue("Link").orElse("").replaceAll(".*(/head.*)>.*", "$1");
    }
    return numbers.getCount() == 0
        ? ""
        : ",\"field\":\"%s\",\"min\":%s,\"max\":%s,\"mean\":%s"
            .formatted(field, numbers.getMin(), numbers.getMax(), numbers.getAverage());
  }

  private static String send(String path, String token) throws Exception {
    return send(cairn(path, token)).body();
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

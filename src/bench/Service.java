import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The packaged service in its own process, and a signed-in client of it. */
final class Service implements AutoCloseable {
  private static final String EMAIL = "a@example.org";
  private static final String PASSWORD = "correct horse battery";

  /** The environment variables of every service. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "CAIRN_SECRET_KEY",
          Base64.getEncoder().encodeToString(new byte[32]),
          "CAIRN_PUBLIC_URL",
          "https://cairn.example.org",
          "CAIRN_ADMIN_EMAIL",
          EMAIL,
          "CAIRN_ADMIN_PASSWORD",
          PASSWORD,
          "CAIRN_EGRESS_ALLOW",
          "127.0.0.1");

  /** Calls the service and the floors. */
  final Client client = new Client();

  private final Process process;
  private final int port;
  private String token;

  private Service(Process process, int port) {
    this.process = process;
    this.port = port;
    // Also if the measurement is interrupted.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
  }

  /**
   * Starts a build and signs in; its log goes to the file.
   *
   * @param command starts it
   * @param settings environment variables that say where its database is, and what it does
   */
  static Service start(List<String> command, int port, Map<String, String> settings, Path log)
      throws Exception {
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(SETTINGS);
    builder.environment().putAll(settings);
    builder.environment().put("QUARKUS_HTTP_PORT", "" + port);
    var service = new Service(builder.start(), port);
    try {
      service.awaitReady(log);
      var signedIn = service.post("/api/auth/login", Map.of("email", EMAIL, "password", PASSWORD));
      service.token = signedIn.replaceFirst(".*\"accessToken\":\"([^\"]*)\".*", "$1");
      return service;
    } catch (Exception e) {
      service.close();
      throw e;
    }
  }

  /** Uses a new personal access token from now on, as programs do. */
  void usePersonalAccessToken(String name) throws Exception {
    token =
        post("/api/pats", Map.of("name", name)).replaceFirst(".*\"token\":\"([^\"]*)\".*", "$1");
  }

  private void awaitReady(Path log) throws Exception {
    for (int i = 0; i < 12_000 && process.isAlive(); i++) {
      try {
        get("/q/health/ready");
        // A connection from before the service was ready may be closed after its first answer.
        get("/q/health/ready");
        return;
      } catch (ExecutionException | IOException e) {
        Thread.sleep(10);
      }
    }
    throw new IllegalStateException(Files.readString(log));
  }

  /** The answer to a request for a path, with the token; 400 or more is an error. */
  Client.Answer send(HttpMethod method, String path, Map<String, String> headers, String body)
      throws Exception {
    var all = new HashMap<>(headers);
    if (token != null) {
      all.put("Authorization", "Bearer " + token);
    }
    return client.expect(method, "http://127.0.0.1:" + port + path, all, body);
  }

  Client.Answer get(String path) throws Exception {
    return send(HttpMethod.GET, path, Map.of(), null);
  }

  String post(String path, String body) throws Exception {
    return send(HttpMethod.POST, path, Map.of("Content-Type", "application/json"), body).body();
  }

  String post(String path, Map<String, String> body) throws Exception {
    return post(
        path,
        body.entrySet().stream()
            .map(e -> "\"" + e.getKey() + "\":\"" + e.getValue() + "\"")
            .collect(Collectors.joining(",", "{", "}")));
  }

  /** A connection of its own on which a path was asked for. */
  Socket open(String path) throws IOException {
    var socket = new Socket("127.0.0.1", port);
    var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Only on Linux; otherwise 0. */
  long residentMegabytes() throws IOException {
    var status = Path.of("/proc/" + process.pid() + "/status");
    if (!Files.exists(status)) {
      return 0;
    }
    var lines = Pattern.compile("VmRSS:\\s+(\\d+)").matcher(Files.readString(status));
    return lines.find() ? Long.parseLong(lines.group(1)) / 1024 : 0;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}

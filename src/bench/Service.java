import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The packaged service in its own process, and a signed-in client of it. */
final class Service implements AutoCloseable {
  private static final int PORT = Integer.getInteger("port", 8640);
  private static final String PASSWORD = "correct horse battery";

  /** Calls the service and the floors. */
  final Client client = new Client();

  private final Process process;
  private final int port;
  private String token;

  private Service(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts the build of this project on a database and signs in; its log goes to the file. */
  static Service start(Database database, Path log) throws Exception {
    return start(
        Path.of("target/quarkus-app/quarkus-run.jar"),
        PORT,
        Map.of(
            "CAIRN_DATABASE_URL",
            database.jdbcUrl(),
            "CAIRN_DATABASE_USER",
            database.user(),
            "CAIRN_DATABASE_PASSWORD",
            database.password()),
        log);
  }

  /**
   * Starts a build and signs in; its log goes to the file.
   *
   * @param settings environment variables that say where its database is
   */
  static Service start(Path jar, int port, Map<String, String> settings, Path log)
      throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(java, "-Xmx512m", "-jar", jar.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(settings);
    builder
        .environment()
        .putAll(
            Map.of(
                "CAIRN_SECRET_KEY",
                Base64.getEncoder().encodeToString(new byte[32]),
                "CAIRN_PUBLIC_URL",
                "https://cairn.example.org",
                "CAIRN_ADMIN_EMAIL",
                "a@example.org",
                "CAIRN_ADMIN_PASSWORD",
                PASSWORD,
                "CAIRN_EGRESS_ALLOW",
                "127.0.0.1",
                "QUARKUS_HTTP_PORT",
                "" + port));
    var service = new Service(builder.start(), port);
    try {
      service.awaitReady(log);
      var signedIn =
          service.post("/api/auth/login", Map.of("email", "a@example.org", "password", PASSWORD));
      service.token = signedIn.replaceFirst(".*\"accessToken\":\"([^\"]*)\".*", "$1");
      return service;
    } catch (Exception e) {
      service.close();
      throw e;
    }
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

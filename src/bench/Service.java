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

/** The packaged service as a process of its own, and a client of it that is signed in. */
final class Service implements AutoCloseable {
  private static final int PORT = Integer.getInteger("port", 8640);
  private static final String PASSWORD = "correct horse battery";

  /** Calls the service, and its floors alike. */
  final Client client = new Client();

  private final Process process;
  private String token;

  private Service(Process process) {
    this.process = process;
  }

  /** Starts it on an empty database and signs in; its log goes to the file. */
  static Service start(Database database, Path log) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(java, "-Xmx512m", "-jar", "target/quarkus-app/quarkus-run.jar")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "CAIRN_DATABASE_URL",
                database.jdbcUrl(),
                "CAIRN_DATABASE_USER",
                database.user(),
                "CAIRN_DATABASE_PASSWORD",
                database.password(),
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
                "" + PORT));
    var service = new Service(builder.start());
    service.awaitReady(log);
    var signedIn =
        service.post("/api/auth/login", Map.of("email", "a@example.org", "password", PASSWORD));
    service.token = signedIn.replaceFirst(".*\"accessToken\":\"([^\"]*)\".*", "$1");
    return service;
  }

  private void awaitReady(Path log) throws Exception {
    for (int i = 0; i < 1200 && process.isAlive(); i++) {
      try {
        get("/q/health/ready");
        return;
      } catch (ExecutionException | IOException e) {
        Thread.sleep(100);
      }
    }
    throw new IllegalStateException(Files.readString(log));
  }

  /** The answer to a request for a path, with the token; of 400 or more it is an error. */
  Client.Answer send(HttpMethod method, String path, Map<String, String> headers, String body)
      throws Exception {
    var all = new HashMap<>(headers);
    if (token != null) {
      all.put("Authorization", "Bearer " + token);
    }
    return client.expect(method, "http://127.0.0.1:" + PORT + path, all, body);
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

  /** Of Linux; nothing elsewhere. */
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

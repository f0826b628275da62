import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** A10: many requests at once that lock the same row, so that all connections could queue on it. */
final class LockedRows {
  private static final Duration DURATION = Scale.seconds("hold", 30);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int POLLS = Scale.count(1_000);
  private static final int ENDS = Scale.count(400);
  private static final int SIGN_INS = Scale.count(1_000);

  private LockedRows() {}

  /** A device that nobody approves, polled on many connections from one address. */
  static Result devicePolls() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      var form = "client_id=cairn-cli";
      var begun = post(service.uri("/oauth/device_authorization"), form);
      var poll =
          "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&"
              + form
              + "&device_code="
              + new Account.Answer(200, begun).value("device_code");
      var request =
          "POST /oauth/token HTTP/1.1\r\nHost: localhost\r\n"
              + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
              + poll.length()
              + "\r\n\r\n"
              + poll;
      return flooded(service, prober, POLLS, request);
    }
  }

  /** One account that ends its other sessions on many connections. */
  static Result endsOfSessions() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service);
        var stranger = Account.signUp(service, "stranger")) {
      var request = RawConnection.head("DELETE", "/api/sessions", stranger.token(), 0);
      return flooded(service, prober, ENDS, request);
    }
  }

  /** One address that goes on to sign in after its rate limit has refused it. */
  static Result refusedSignIns() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      var body = Account.credentials("nobody@example.org", "a guess");
      var request = RawConnection.head("POST", "/api/auth/login", null, body.length()) + body;
      return flooded(service, prober, SIGN_INS, request);
    }
  }

  private static Result flooded(Service service, Prober prober, int connections, String request)
      throws Exception {
    var flood =
        Flood.repeatedly(
            service, connections, (connection, own) -> repeat(connection, own, request));
    try (flood) {
      Thread.sleep(DURATION);
    }
    return prober.result(flood.toString());
  }

  private static void repeat(RawConnection connection, Flood flood, String request)
      throws IOException {
    while (!flood.isOver()) {
      connection.send(request);
      flood.sent(request.length());
      flood.count("" + connection.statusOfWholeAnswer(PATIENCE));
    }
  }

  private static String post(URI uri, String form) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(uri)
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(HttpRequest.BodyPublishers.ofString(form))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Somebody who calls the service with a token, from an address of their own. */
final class Account implements AutoCloseable {
  static final String PASSWORD = "correct horse battery";

  private final Target service;
  private final HttpClient client;
  private final String token;

  private Account(Target service, HttpClient client, String token) {
    this.service = service;
    this.client = client;
    this.token = token;
  }

  /** An answer of the service. */
  record Answer(int status, String body) {
    boolean isSuccess() {
      return status < 300;
    }

    /** The first text or number with this name. */
    String value(String name) {
      var found = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(body);
      if (!found.find()) {
        throw new IllegalStateException("no " + name + " in " + status + " " + body);
      }
      return found.group(1);
    }

    /** All texts with this name, in their order. */
    Stream<String> values(String name) {
      return Pattern.compile("\"" + name + "\":\"([^\"]*)\"")
          .matcher(body)
          .results()
          .map(found -> found.group(1));
    }

    Answer expectSuccess() {
      if (!isSuccess()) {
        throw new IllegalStateException(status + " " + body);
      }
      return this;
    }
  }

  /** A stranger who has just signed up, with the personal organization of that name. */
  static Account signUp(Target service, String name) throws Exception {
    return signUp(service, name, Loopback.next());
  }

  /** The same from this address. */
  static Account signUp(Target service, String name, InetAddress from) throws Exception {
    var stranger = anonymous(service, from);
    stranger.post("/api/auth/signup", credentials(name + "@example.org", PASSWORD)).expectSuccess();
    return stranger.signIn(name + "@example.org", PASSWORD);
  }

  static Account admin(Target service) throws Exception {
    return anonymous(service).signIn(Service.ADMIN, PASSWORD);
  }

  static Account anonymous(Target service) {
    return anonymous(service, Loopback.next());
  }

  private static Account anonymous(Target service, InetAddress from) {
    var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .localAddress(from)
            .build();
    return new Account(service, client, null);
  }

  /** The same program with another account. */
  Account signIn(String email, String password) throws Exception {
    return with(signInAnswer(email, password).value("accessToken"));
  }

  Answer signInAnswer(String email, String password) throws Exception {
    return post("/api/auth/login", credentials(email, password)).expectSuccess();
  }

  static String credentials(String email, String password) {
    return "{\"email\":\"%s\",\"password\":\"%s\"}".formatted(email, password);
  }

  /** The same program with another token. */
  Account with(String otherToken) {
    return new Account(service, client, otherToken);
  }

  String token() {
    return token;
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, null);
  }

  Answer post(String path, String body) throws IOException, InterruptedException {
    return send("POST", path, body);
  }

  Answer patch(String path, String body) throws IOException, InterruptedException {
    return send("PATCH", path, body);
  }

  Answer put(String path, String body) throws IOException, InterruptedException {
    return send("PUT", path, body);
  }

  Answer send(String method, String path, String body) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(service.uri(path)).timeout(Duration.ofSeconds(60));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    if (body != null) {
      request.header("Content-Type", "application/json");
      request.header("Accept", "application/json, text/event-stream");
    }
    request.method(
        method,
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body));
    var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }

  /** How many bytes there are to be downloaded from an address that the service gave. */
  long contentBytes(String url) throws IOException, InterruptedException {
    var address = URI.create(url);
    var request =
        HttpRequest.newBuilder(service.uri(address.getPath() + "?" + address.getRawQuery()))
            .timeout(Duration.ofSeconds(60))
            .HEAD()
            .build();
    return client
        .send(request, HttpResponse.BodyHandlers.discarding())
        .headers()
        .firstValueAsLong("Content-Length")
        .orElse(0);
  }

  /** Makes a repository with the shape Note, which has a text. */
  void makeRepository(String organization, String name, String visibility) throws Exception {
    post(
            "/api/orgs/" + organization + "/repos",
            "{\"name\":\"%s\",\"visibility\":\"%s\"}".formatted(name, visibility))
        .expectSuccess();
    commit(organization + "/" + name, shape("Note")).expectSuccess();
  }

  /** Commits these operations of JSON, which commas separate. */
  Answer commit(String repository, String operations) throws IOException, InterruptedException {
    return post("/api/repos/" + repository + "/commits", "{\"operations\":[" + operations + "]}");
  }

  /** The operation that adds a shape with a text. */
  static String shape(String name) {
    return "{\"operation\":\"add\",\"name\":\"Shape/%s\",\"data\":{\"fields\":{\"text\":\"string\"}}}"
        .formatted(name);
  }

  /** The operation that adds a note. */
  static String note(String name, String text) {
    return "{\"operation\":\"add\",\"name\":\"Note/%s\",\"data\":{\"text\":\"%s\"}}"
        .formatted(name, Matcher.quoteReplacement(text));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}

package dev.cairn.openapi;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.restassured.RestAssured;
import io.restassured.config.DecoderConfig;
import io.restassured.filter.Filter;
import io.restassured.http.ContentType;
import io.restassured.http.Header;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tests' requests and answers are those of RestAssured, though it does not send them. */
class SendingTest {
  private static final String PATH = "/api/repos/o/r/things/Sensor%2Fa@v1";

  /** What tests ask for, by what is special about it. */
  private static final Map<String, Function<RequestSpecification, Response>> REQUESTS =
      Map.ofEntries(
          Map.entry("GET", request -> request.get(PATH)),
          Map.entry("query", request -> request.get(PATH + "?a=b%20c,d&e=Sensor/*&f&g=")),
          Map.entry("one parameter twice", request -> request.get(PATH + "?a=1&b=2&a=3")),
          Map.entry("not in ASCII", request -> request.get("/api/ü?a=ö")),
          Map.entry(
              "not encoded", request -> request.urlEncodingEnabled(true).get("/api/a b?c=d e")),
          Map.entry("not resolved", request -> request.get("/api/a/../b//c")),
          Map.entry("path parameter", request -> request.get("/api/{a}", "b")),
          Map.entry("query parameter", request -> request.queryParam("a", "b", "c").get(PATH)),
          Map.entry("HEAD", request -> request.head(PATH)),
          Map.entry("OPTIONS", request -> request.options(PATH)),
          Map.entry("POST of nothing", request -> request.post(PATH)),
          Map.entry("PUT of nothing", request -> request.put(PATH)),
          Map.entry("PATCH of nothing", request -> request.patch(PATH)),
          Map.entry("DELETE", request -> request.delete(PATH)),
          Map.entry("unknown method", request -> request.request("FOO", PATH)),
          Map.entry("POST", request -> request.body("{'a':'ü一'}").post(PATH)),
          Map.entry("map", request -> request.body(Map.of("a", "ü一")).post(PATH)),
          Map.entry("bytes", request -> request.body(new byte[] {0, 1, -1}).post(PATH)),
          Map.entry("empty text", request -> request.body("").post(PATH)),
          Map.entry("PUT", request -> request.body("{}").put(PATH)),
          Map.entry("PATCH", request -> request.body("{}").patch(PATH)),
          Map.entry("DELETE with a body", request -> request.body("{}").delete(PATH)),
          Map.entry("text", request -> request.contentType("text/plain").body("ü").post(PATH)),
          Map.entry(
              "charset",
              request ->
                  request.contentType("application/json; charset=UTF-16").body("ü").post(PATH)),
          Map.entry(
              "form",
              request -> request.contentType(ContentType.URLENC).formParam("a", "ü").post(PATH)),
          Map.entry(
              "own coding", request -> request.header("Accept-Encoding", "identity").get(PATH)),
          Map.entry(
              "no coding",
              request ->
                  request
                      .config(
                          RestAssured.config()
                              .decoderConfig(DecoderConfig.decoderConfig().noContentDecoders()))
                      .get(PATH)),
          Map.entry(
              "header twice", request -> request.header("a", "1", "2").accept("a/b").get(PATH)),
          Map.entry("cookie", request -> request.cookie("a", "b").get(PATH)),
          Map.entry("token", request -> request.auth().oauth2("token").get(PATH)));

  /** Those of {@link #REQUESTS} that RestAssured sends itself. */
  private static final Set<String> SENT_BY_RESTASSURED =
      Set.of(
          "query",
          "one parameter twice",
          "not in ASCII",
          "query parameter",
          "path parameter",
          "not encoded",
          "not resolved",
          "form",
          "own coding",
          "cookie",
          "token");

  private HttpServer server;
  private volatile String received;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = new TreeMap<>(exchange.getRequestHeaders());
      headers.remove("Connection");
      received =
          "%s %s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI(),
                  headers,
                  HexFormat.of().formatHex(exchange.getRequestBody().readAllBytes()));
      var answer = exchange.getResponseHeaders();
      if (!exchange.getRequestMethod().equals("OPTIONS")) {
        answer.add("Content-Type", "text/markdown");
      }
      answer.add("Set-Cookie", "a=b; Path=/c; Max-Age=3");
      answer.add("Link", "<a>");
      answer.add("Link", "<b>");
      var content = "ü一".getBytes(UTF_8);
      if (String.valueOf(headers.get("Accept-encoding")).contains("gzip")) {
        answer.add("Content-Encoding", "gzip");
        content = compressed(content);
      }
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(422, isHead ? -1 : content.length);
      if (!isHead) {
        exchange.getResponseBody().write(content);
      }
    }
  }

  private static byte[] compressed(byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(content);
    }
    return bytes.toByteArray();
  }

  @Test
  void requests_and_answers_are_those_of_restassured() {
    assertAll(
        REQUESTS.keySet().stream()
            .map(
                what ->
                    () ->
                        assertEquals(
                            exchange((request, of, context) -> context.next(request, of), what),
                            exchange(
                                (request, of, context) -> {
                                  var answer = Sending.answer(request);
                                  assertEquals(
                                      SENT_BY_RESTASSURED.contains(what), answer.isEmpty(), what);
                                  return answer.orElseGet(() -> context.next(request, of));
                                },
                                what),
                            what)));
  }

  /** All that the server gets and the test sees, except for the time. */
  private String exchange(Filter filter, String what) {
    received = null;
    var request =
        given()
            .noFilters()
            .filter(filter)
            .port(server.getAddress().getPort())
            .contentType(ContentType.JSON)
            .urlEncodingEnabled(false);
    var response = REQUESTS.get(what).apply(request);
    return String.join(
        "\n",
        received,
        response.statusLine(),
        response.contentType(),
        response.getHeaders().asList().stream()
            .filter(header -> !header.hasSameNameAs(new Header("Date", "")))
            .map(Object::toString)
            .sorted()
            .toList()
            .toString(),
        response.getDetailedCookies().toString(),
        response.asString());
  }
}

package dev.cairn.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsTest {
  private static final String SUMMARY =
      "{\"summary\":{\"streamId\":\"s\",\"submissionId\":\"x\",\"operationCount\":1,"
          + "\"applied\":1,\"noop\":0,\"errors\":0,\"partial\":false}}\n";

  private HttpServer server;
  private Handler handler;
  private final List<String> routes = new ArrayList<>();
  private CairnClient client;

  /** What the service does with a submission. */
  @FunctionalInterface
  private interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void begin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
    client =
        CairnClient.builder(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .credentials(Credentials.token("secret"))
            .build();
  }

  @AfterEach
  void end() {
    client.close();
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      routes.add(
          "%s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI(),
                  exchange.getRequestHeaders().getFirst("Authorization")));
      handler.handle(exchange);
    }
  }

  private StreamSubmission submit(StreamOptions options, StreamBody body) {
    return client.repository("o", "r").submitStream("s", options, body);
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    exchange.getResponseBody().write(text.getBytes(UTF_8));
    exchange.getResponseBody().flush();
  }

  /** Answers each line with its result, as soon as it has come. */
  private static void echo(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    var lines = new BufferedReader(new InputStreamReader(exchange.getRequestBody(), UTF_8));
    int line = 0;
    while (lines.readLine() != null) {
      answer(
          exchange,
          "{\"line\":%d,\"opIndex\":%d,\"status\":\"applied\",\"operation\":\"add\"}\n"
              .formatted(line + 1, line++));
    }
    answer(exchange, SUMMARY);
  }

  @Test
  void a_result_comes_while_the_next_line_is_not_yet_written() throws Exception {
    handler = StreamsTest::echo;
    var firstResult = new CountDownLatch(1);
    try (var submission =
        submit(
            StreamOptions.DEFAULT,
            out -> {
              out.write("{}\n".getBytes(UTF_8));
              out.flush();
              await(firstResult);
              out.write("{}\n".getBytes(UTF_8));
            })) {
      var lines = submission.lines().peek(_ -> firstResult.countDown()).toList();
      assertEquals(3, lines.size());
      assertEquals(1, assertInstanceOf(StreamLine.Result.class, lines.get(0)).line());
      assertEquals("add", assertInstanceOf(StreamLine.Result.class, lines.get(1)).operation());
      assertEquals(1, assertInstanceOf(StreamLine.Summary.class, lines.get(2)).applied());
    }
    assertEquals(List.of("POST /api/repos/o/r/streams/s/submissions Bearer secret"), routes);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new IOException("no result came");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** More than all buffers between both sides hold. */
  @Test
  void much_more_than_fits_into_the_buffers_goes_up_and_comes_down() {
    handler = StreamsTest::echo;
    int count = 200_000;
    try (var submission =
        submit(
            StreamOptions.DEFAULT,
            out -> {
              for (int i = 0; i < count; i++) {
                out.write(("{\"data\":\"" + "x".repeat(100) + "\"}\n").getBytes(UTF_8));
              }
            })) {
      assertEquals(count + 1, submission.lines().count());
    }
  }

  @Test
  void whoever_does_not_read_results_stops_the_operations() throws Exception {
    handler = StreamsTest::echo;
    var done = new CompletableFuture<Boolean>();
    try (var submission =
        submit(
            StreamOptions.DEFAULT,
            out -> {
              for (int i = 0; i < 3_000_000; i++) {
                out.write("{\"data\":\"0123456789\"}\n".getBytes(UTF_8));
              }
              done.complete(true);
            })) {
      assertThrows(TimeoutException.class, () -> done.get(3, TimeUnit.SECONDS));
      assertTrue(submission.lines().findFirst().isPresent());
    }
  }

  @Test
  void options_become_parameters_headers_and_a_compressed_body() throws Exception {
    var body = new CompletableFuture<String>();
    var headers = new CompletableFuture<String>();
    handler =
        exchange -> {
          headers.complete(
              exchange.getRequestHeaders().getFirst("Idempotency-Key")
                  + " "
                  + exchange.getRequestHeaders().getFirst("Content-Encoding"));
          body.complete(
              new String(new GZIPInputStream(exchange.getRequestBody()).readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(200, 0);
          answer(exchange, SUMMARY);
        };
    var options =
        StreamOptions.DEFAULT
            .withMessage("a b")
            .allOrNothing()
            .withIdempotencyKey("k")
            .compressed();
    try (var submission = submit(options, out -> out.write("{}\n".getBytes(UTF_8)))) {
      assertEquals(1, submission.lines().count());
    }
    assertEquals("{}\n", body.get());
    assertEquals("k gzip", headers.get());
    assertTrue(routes.getFirst().contains("?message=a%20b&atomic=true "), routes.toString());
  }

  @Test
  void a_refusal_before_any_line_was_read_is_its_problem() {
    handler =
        exchange -> {
          var problem =
              "{\"status\":409,\"code\":\"CONFLICT\",\"detail\":\"It is held.\","
                  + "\"details\":{\"reason\":\"lease_held\"}}";
          exchange.getResponseHeaders().set("Retry-After", "7");
          exchange.sendResponseHeaders(409, problem.length());
          answer(exchange, problem);
        };
    var refused =
        assertThrows(
            CairnException.class, () -> submit(StreamOptions.DEFAULT, StreamsTest::writeMuch));
    assertEquals("lease_held", refused.reason().orElseThrow());
    assertEquals(Duration.ofSeconds(7), refused.retryAfter().orElseThrow());
  }

  private void refuseOld(HttpExchange exchange) throws IOException {
    if (exchange.getRequestURI().getPath().equals("/api/auth/refresh")) {
      reply(
          exchange,
          200,
          "{\"accessToken\":\"new\",\"refreshToken\":\"r\",\"expiresAt\":4102444800000}");
    } else if (routes.getLast().endsWith("Bearer new")) {
      echo(exchange);
    } else {
      reply(exchange, 401, "{\"status\":401,\"code\":\"UNAUTHENTICATED\",\"detail\":\"No.\"}");
    }
  }

  private long submitWithRefusedToken(StreamOptions options, StreamBody body) {
    handler = this::refuseOld;
    var store = TokenStore.inMemory(new Tokens("old", "f", 4102444800000L));
    try (var renewing =
            CairnClient.builder(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .credentials(Credentials.renewing(store))
                .build();
        var submission = renewing.repository("o", "r").submitStream("s", options, body)) {
      return submission.lines().count();
    }
  }

  @Test
  void a_refused_token_is_renewed_once_and_the_lines_are_sent_again() {
    var lines = StreamBody.of("{}\n{}\n".getBytes(UTF_8));
    assertEquals(3, submitWithRefusedToken(StreamOptions.DEFAULT, lines));
    assertEquals(
        List.of(
            "POST /api/repos/o/r/streams/s/submissions Bearer old",
            "POST /api/auth/refresh null",
            "POST /api/repos/o/r/streams/s/submissions Bearer new"),
        routes);
  }

  @Test
  void compressed_lines_can_be_sent_again_too() {
    var lines = StreamBody.of("{}\n".getBytes(UTF_8));
    assertTrue(submitWithRefusedToken(StreamOptions.DEFAULT.compressed(), lines) > 0);
    assertEquals(3, routes.size());
  }

  @Test
  void lines_that_cannot_be_written_again_are_not_sent_twice() {
    var refused =
        assertThrows(
            CairnException.class,
            () -> submitWithRefusedToken(StreamOptions.DEFAULT, StreamsTest::writeMuch));
    assertEquals(401, refused.status());
    assertEquals(1, routes.size());
  }

  private static void writeMuch(OutputStream out) throws IOException {
    for (int i = 0; i < 10_000; i++) {
      out.write("{}\n".getBytes(UTF_8));
    }
  }

  @Test
  void an_answer_that_breaks_off_is_no_answer() {
    handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          answer(exchange, "{\"line\":1,\"opIndex\":0,\"status\":\"applied\"}\n");
        };
    try (var submission = submit(StreamOptions.DEFAULT, _ -> {})) {
      assertThrows(ServerNotReachedException.class, () -> submission.lines().count());
    }
  }

  @Test
  void an_end_without_a_summary_is_no_answer_either() {
    handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          answer(exchange, "{\"error\":{\"code\":\"UNAVAILABLE\",\"detail\":\"Stopping.\"}}\n");
        };
    try (var submission = submit(StreamOptions.DEFAULT, _ -> {})) {
      List<StreamLine> lines = new ArrayList<>();
      assertThrows(ServerNotReachedException.class, () -> submission.lines().forEach(lines::add));
      assertEquals(
          "UNAVAILABLE", assertInstanceOf(StreamLine.Ended.class, lines.getFirst()).error().code());
    }
  }

  /** The service must not take a part of an atomic submission for the whole. */
  @Test
  void a_body_that_cannot_be_made_has_no_regular_end() throws Exception {
    var end = new CompletableFuture<String>();
    handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          answer(exchange, "\n");
          try (InputStream in = exchange.getRequestBody()) {
            end.complete("complete: " + new String(in.readAllBytes(), UTF_8));
          } catch (IOException e) {
            end.complete("broken off");
          }
        };
    var failed =
        assertThrows(
            ServerNotReachedException.class,
            () -> {
              try (var submission =
                  submit(
                      StreamOptions.DEFAULT,
                      out -> {
                        out.write("{}\n".getBytes(UTF_8));
                        out.flush();
                        throw new IOException("the file is damaged");
                      })) {
                submission.lines().skip(1).count();
              }
            });
    assertTrue(failed.getMessage().contains("the file is damaged"), failed.getMessage());
    assertEquals("broken off", end.get(20, TimeUnit.SECONDS));
  }

  @Test
  void the_token_is_in_no_message() throws IOException {
    server.stop(0);
    var failed =
        assertThrows(ServerNotReachedException.class, () -> submit(StreamOptions.DEFAULT, _ -> {}));
    assertTrue(!failed.toString().contains("secret"), failed.toString());
  }

  @Test
  void an_export_is_read_while_it_comes_and_knows_its_state() throws Exception {
    var firstLine = new CountDownLatch(1);
    handler =
        exchange -> {
          exchange.getResponseHeaders().set("X-Cairn-Repo-Seq", "42");
          exchange.sendResponseHeaders(200, 0);
          answer(exchange, "{\"a\":1}\n");
          await(firstLine);
          answer(exchange, "{\"a\":2}\n");
        };
    try (var export = client.repository("o", "r").export("41")) {
      assertEquals(42, export.atRepoSeq());
      assertEquals(
          List.of("{\"a\":1}", "{\"a\":2}"),
          export.lines().peek(_ -> firstLine.countDown()).toList());
    }
    assertEquals(List.of("GET /api/repos/o/r/export?at=41 Bearer secret"), routes);
  }

  @Test
  void an_export_that_breaks_off_is_not_taken_for_a_complete_one() throws Exception {
    handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          answer(exchange, "{\"a\":1}\n");
        };
    try (var export = client.repository("o", "r").export()) {
      assertThrows(IOException.class, () -> export.content().readAllBytes());
    }
  }

  /** A silent server must not be waited for without end, and the caller goes on elsewhere. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_export_from_which_nothing_comes_breaks_off(boolean isDownload) throws Exception {
    var done = new CountDownLatch(1);
    handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          answer(exchange, "{\"a\":1}\n");
          await(done);
        };
    var link = new Export("https://x/api/exports/1/content?expires=3", 3, 1, 1, "abc");
    try (var impatient =
            CairnClient.builder(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .requestTimeout(Duration.ofSeconds(1))
                .build();
        var content =
            isDownload
                ? impatient.repository("o", "r").downloadExport(link, 0)
                : impatient.repository("o", "r").export().content()) {
      var failed = assertThrows(IOException.class, content::readAllBytes);
      assertEquals("nothing came for 1 s", failed.getMessage());
    } finally {
      done.countDown();
    }
  }

  @Test
  void a_download_follows_the_link_at_the_server_of_the_client_and_without_the_token()
      throws Exception {
    handler =
        exchange -> {
          assertEquals("bytes=5-", exchange.getRequestHeaders().getFirst("Range"));
          assertEquals("\"abc\"", exchange.getRequestHeaders().getFirst("If-Range"));
          exchange.sendResponseHeaders(206, 3);
          answer(exchange, "xyz");
        };
    var link =
        new Export(
            "https://cairn.example.org/base/api/exports/1-2/content?expires=3&signature=a%2Bb",
            3, 1, 1, "abc");
    try (var content = client.repository("o", "r").downloadExport(link, 5)) {
      assertEquals("xyz", new String(content.readAllBytes(), UTF_8));
    }
    assertEquals(List.of("GET /api/exports/1-2/content?expires=3&signature=a%2Bb null"), routes);
  }

  @Test
  void a_part_that_was_not_asked_for_is_refused() {
    handler = exchange -> exchange.sendResponseHeaders(200, -1);
    var link = new Export("https://x/api/exports/1/content?expires=3", 3, 1, 1, "abc");
    assertThrows(CairnException.class, () -> client.repository("o", "r").downloadExport(link, 5));
  }

  @Test
  void a_background_export_is_there_when_it_is_built() {
    handler = exchange -> reply(exchange, 202, "{\"state\":\"pending\"}");
    var repository = client.repository("o", "r");
    assertTrue(repository.builtExport("t").isEmpty());
    handler =
        exchange ->
            reply(
                exchange,
                200,
                "{\"url\":\"https://x/api/exports/1/content\",\"expiresAt\":9,\"atRepoSeq\":3,"
                    + "\"recordCount\":7,\"contentSha256\":\"ab\"}");
    assertEquals(
        new Export("https://x/api/exports/1/content", 9, 3, 7, "ab"),
        repository.builtExport("t").orElseThrow());
  }

  private static void reply(HttpExchange exchange, int status, String json) throws IOException {
    exchange.sendResponseHeaders(status, json.length());
    answer(exchange, json);
  }
}

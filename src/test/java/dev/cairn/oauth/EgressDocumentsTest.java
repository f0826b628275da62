package dev.cairn.oauth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.egress.InsideNames;
import dev.cairn.egress.ScriptedServer;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How client id metadata documents come from a server of somebody else's. */
@HttpTest
@QuarkusTest
@InProcess("It fetches by the bean.")
class EgressDocumentsTest {
  @Inject EgressDocuments documents;

  private HttpServer server;
  private int status = 200;
  private String cacheControl;
  private String body = "{}";

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          if (cacheControl != null) {
            exchange.getResponseHeaders().add("Cache-Control", cacheControl);
          }
          var bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Optional<DocumentSource.Document> fetch() {
    return documents.fetch(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/client"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      delimiter = '|',
      value = {
        "-                          | 300",
        "max-age=60                 | 60",
        "public, max-age=86400      | 86400",
        "no-store                   | 0",
        "no-cache, max-age=60       | 0",
        "s-maxage=5                 | 300",
      })
  void a_document_is_kept_as_long_as_its_server_says(String rules, long seconds) {
    cacheControl = rules;
    assertEquals(
        Optional.of(new DocumentSource.Document("{}", Duration.ofSeconds(seconds))), fetch());
  }

  @Test
  void anything_but_200_is_no_document() {
    for (int other : new int[] {201, 301, 404, 500}) {
      status = other;
      assertEquals(Optional.empty(), fetch());
    }
  }

  @Test
  void a_document_has_at_most_16_kib() {
    body = "x".repeat(16 * 1024);
    assertEquals(16 * 1024, fetch().orElseThrow().body().length());
    body = "x".repeat(16 * 1024 + 1);
    assertEquals(Optional.empty(), fetch());
  }

  @Test
  void what_may_not_be_called_is_not_called() throws IOException {
    var good = ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    try (var inside = ScriptedServer.on("127.0.0.2", good)) {
      var url = URI.create("http://127.0.0.2:" + inside.port() + "/client");
      assertEquals(Optional.empty(), documents.fetch(url));
      assertEquals(0, inside.connections());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https", "http"})
  void a_name_of_an_inside_address_is_like_one_that_does_not_exist(String scheme) {
    assertEquals(
        List.of(Optional.empty(), Optional.empty()),
        InsideNames.urls(scheme).map(url -> documents.fetch(URI.create(url))).toList());
  }

  @Test
  void a_document_that_does_not_come_in_time_may_exist_nevertheless() throws IOException {
    try (var silent = ScriptedServer.on("127.0.0.1", (it, socket) -> it.awaitEnd(socket))) {
      var url = URI.create("http://127.0.0.1:" + silent.port() + "/client");
      var problem = assertThrows(Problem.class, () -> documents.fetch(url));
      assertEquals(ErrorCode.UNAVAILABLE, problem.code());
    }
  }
}

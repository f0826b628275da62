package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HTTP request smuggling: a message whose end two servers could see at different places is refused,
 * and nothing after it is taken for a request.
 */
@HttpTest
@QuarkusTest
class MessageFramingTest {
  private static final String REQUEST =
      "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  private static final String SMUGGLED =
      "GET /api/whoami HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  private static final Pattern SAYS_THAT_IT_ENDS =
      Pattern.compile("(?i)\\r\\nconnection: close\\r\\n");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 7\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 7\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 0\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding: chunked;x=y\r\n",
        "Transfer-Encoding:\r\n",
        "Transfer-Encoding:\r\n xchunked\r\n",
        "Transfer-Encoding: chun\r\n ked\r\n",
        "Content-Length: 0\r\n 5\r\n",
        "Content-Length:\r\n",
        "Host: evil.example\r\nContent-Length: 0\r\n",
        "Host: localhost\r\nContent-Length: 0\r\n",
        "Content-Length: 0\r\nContent-Length: 5\r\n",
        "Content-Length: 0, 5\r\n",
        "Content-Length: +0\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 0x0\r\n",
        "X-Other: a\rContent-Length: 0\r\n",
        "X-Other: a\0b\r\n",
        "Sec-WebSocket-Key1: 1\r\n",
        "Sec-WebSocket-Key1: \r\nSec-WebSocket-Key2:\r\n"
      })
  void a_message_with_an_ambiguous_end_is_refused_with_all_that_follows(String headers) {
    assertOneRefusal(REQUEST + headers + "\r\n0\r\n\r\n" + SMUGGLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", "HTTP/1.1\r\n"})
  void a_request_is_refused_by_its_version_too(String rest) {
    assertEquals(400, RawHttp.any("GET /api/whoami " + rest + "\r\n0\r\n\r\n").status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/11.1", "FOO/1.1", "FOO/1.0"})
  void other_versions_are_refused_with_all_that_follows(String version) {
    assertOneRefusal("GET /api/whoami " + version + "\r\nHost: localhost\r\n\r\n" + SMUGGLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 0\r\nContent-Length: 90\r\n"})
  void an_older_version_has_one_request_on_a_connection(String lengths) {
    var answers =
        RawHttp.untilClosed(
            "GET /api/whoami HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n"
                + lengths
                + "\r\n");
    assertTrue(answers.startsWith("HTTP/1.0 200 "), answers);
    assertTrue(SAYS_THAT_IT_ENDS.matcher(answers).find(), answers);
  }

  /** The decoder takes the next eight bytes for its body, and so from the next request. */
  @Test
  void a_websocket_handshake_of_another_age_is_refused_with_all_that_follows() {
    assertOneRefusal(
        "GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n"
            + "Sec-WebSocket-Key1: 1\r\nSec-WebSocket-Key2: 2\r\n\r\nABCDEFGH"
            + SMUGGLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"close, TE", "keep-alive, close", "x,Close", "close,", "\r\n close"})
  void a_connection_is_closed_by_any_list_that_says_so(String connection) {
    var request =
        "GET /api/whoami HTTP/1.1\r\nHost: localhost\r\nConnection: " + connection + "\r\n\r\n";
    assertStatuses(List.of(200), request);
    var answer = RawHttp.untilClosed(request);
    assertTrue(SAYS_THAT_IT_ENDS.matcher(answer).find(), answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: +5\r\n",
        "bad name: x\r\n",
        "X: a\0b\r\n"
      })
  void what_the_decoder_refuses_gets_a_problem_document(String headers) {
    var answer = RawHttp.any(REQUEST + headers + "\r\n");
    assertEquals(400, answer.status());
    assertEquals("application/problem+json", answer.header("content-type"));
    assertTrue(answer.body().contains("\"VALIDATION_ERROR\""), answer.body());
  }

  @Test
  void a_path_with_a_fault_hides_no_ambiguous_end() {
    assertOneRefusal(
        "POST /%zz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n" + SMUGGLED);
  }

  @Test
  void what_follows_too_many_header_fields_is_not_read() {
    var fields = "a:b\r\n".repeat(300) + "Transfer-Encoding: chunked\r\n";
    assertStatuses(List.of(431), REQUEST + fields + "\r\n0\r\n\r\n" + SMUGGLED);
  }

  private static void assertOneRefusal(String text) {
    assertStatuses(List.of(400), text);
  }

  private static void assertStatuses(List<Integer> statuses, String text) {
    var answers = RawHttp.untilClosed(text);
    var found =
        Pattern.compile("HTTP/1\\.1 (\\d{3}) ")
            .matcher(answers)
            .results()
            .map(status -> Integer.valueOf(status.group(1)))
            .toList();
    assertEquals(statuses, found, answers);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_000})
  void what_is_sent_ahead_of_an_answer_is_not_read(int count) {
    var one = "GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assertStatuses(List.of(200), one.repeat(count) + SMUGGLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"chunked", "Chunked", "\tchunked "})
  void a_chunked_body_is_read_to_its_end(String coding) {
    var answer =
        RawHttp.any(
            REQUEST
                + "Connection: close\r\nTransfer-Encoding: "
                + coding
                + "\r\n\r\n2\r\n{}\r\n0\r\n\r\n");
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("email"), answer.body());
  }

  /** To a proxy, such a size may be another one; so the rest must be no request. */
  @ParameterizedTest
  @ValueSource(strings = {";x=y", " 4", "\t4", " zz", "\0zz"})
  void what_follows_the_size_of_a_chunk_is_ignored_and_hides_no_request(String rest) {
    var body = "2" + rest + "\r\n{}\r\n0\r\n\r\n";
    assertStatuses(List.of(400), REQUEST + "Transfer-Encoding: chunked\r\n\r\n" + body + SMUGGLED);
  }

  /** A socket that is closed with unread bytes is reset, which may take the answer with it. */
  @ParameterizedTest
  @CsvSource({
    "404, POST /api/repos/nobody/nothing/commits, HTTP/1.1, close, 8000000",
    "404, POST /api/repos/nobody/nothing/commits, HTTP/1.0, keep-alive, 8000000",
    "413, POST /api/repos/nobody/nothing/commits, HTTP/1.1, keep-alive, 17500000",
    "401, POST /api/orgs, HTTP/1.1, close, 8000000",
    "415, POST /oauth/token, HTTP/1.1, close, 8000000",
    "400, POST /api/repos/nobody//commits, HTTP/1.1, keep-alive, 8000000"
  })
  void an_early_answer_reaches_a_client_that_sends_everything_first(
      int status, String target, String version, String connection, int length) {
    var head =
        "%s %s\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: %s\r\n"
            .formatted(target, version, connection);
    var answer =
        RawHttp.untilClosed(head + "Content-Length: " + length + "\r\n\r\n" + " ".repeat(length));
    assertTrue(answer.startsWith(version + " " + status + " "), answer);
    assertTrue(answer.endsWith("}"), answer);
  }
}

package dev.cairn.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.params.ParameterizedTest;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 7\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 7\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 0\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Content-Length: 0\r\nContent-Length: 5\r\n",
        "Content-Length: 0, 5\r\n",
        "Content-Length: +0\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 0x0\r\n",
        "X-Other: a\rContent-Length: 0\r\n",
        "X-Other: a\0b\r\n"
      })
  void a_message_with_an_ambiguous_end_is_refused_with_all_that_follows(String headers) {
    var answer = RawHttp.any(REQUEST + headers + "\r\n0\r\n\r\n" + SMUGGLED);
    assertEquals(400, answer.status());
    assertEquals("", answer.body(), "one answer, and nothing after it");
  }
}

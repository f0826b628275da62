package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link HostilePathTest} sends, and what only the packaged service lets in. */
class RequestTargetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/?a=/../b",
        "/api/repos/o/r/things/S/a..b",
        "/api/repos/o/r/things/S/...",
        "/api/repos/o/r/things/S/.a;x",
        "/api/repos/o/r/things/S/;a",
        "/api/repos/o/r/things/S%2Fa..b%2f...%2F.c",
        "/api/repos/o/r/things/S%2F50%252foff%255c",
        "/api/repos/o/r/things/S/%C3%A9%2B+%7E",
        "/api/repos/o/r/query?match=%2e%2e/..//%ff\\",
        "/.well-known/jwks.json",
        "/q/swagger-ui/",
        "http://host:80/api",
        "HTTPS://host",
        "https://host/?x=y"
      })
  void nothing_is_wrong_with(String target) {
    assertEquals(Optional.empty(), RequestTarget.fault(target));
  }

  @ParameterizedTest
  @CsvSource({
    "/api/..;x/a, dot segment",
    "/api/./a, dot segment",
    "/api/%252E%25252e%253b/a, dot segment",
    "/api/..%2f.., dot segment",
    "/api/%2e%2e%2F%2e%2e, dot segment",
    "/api/..%252f.., dot segment",
    "/api/..%25252F%25252e, dot segment",
    "/api/x%2f.., dot segment",
    "/api/%2f.., dot segment",
    "/api/x%2f.%2fy, dot segment",
    "/api/x%2F..;y, dot segment",
    "/api/x;y%2F..%3Bz%2Fw, dot segment",
    "/api/..%255c.., dot segment",
    "/api/x%255C%252e, dot segment",
    "/api/..%5c.., backslash",
    "//api, empty segment",
    "/api/, empty segment",
    "/q//metrics, empty segment",
    "/q/../api, dot segment",
    "/api/a\\b, backslash",
    "/api/a%5Cb, backslash",
    "/api/a%00, %00",
    "/api/%C3, UTF-8",
    "/api/%F8%88%80%80%AE, UTF-8",
    "/api/\u00c3(, UTF-8",
    "/api/a#/../b, fragment",
    "/api/a?b#c, fragment",
    "/api/repos/o/r/things/S/\u00c3\u00a9, ASCII",
    "/api/a?b=\u00e9, ASCII",
    "/api/a\tb, ASCII",
    "/%2D/a, first segment",
    "/api/repos/o/r/credential%2Dsets, must not be percent-encoded",
    "/.well-known/jwks%2ejson, must not be percent-encoded",
    "/oauth/device%5Fauthorization, must not be percent-encoded",
    "/api/%4f, Letters",
    "/api/%7A, Letters",
    "/api/%39, Letters",
    "http://host?/api, begins with",
    "http://host\\/api, begins with",
    "ftp://host/api, begins with",
    "host/api, begins with",
    "*, begins with",
    "'', begins with"
  })
  void the_broken_rule_is_named(String target, String rule) {
    var fault = RequestTarget.fault(target).orElse("none");
    assertTrue(fault.contains(rule), fault);
  }

  /** Each pass over the text would take off one of thousands of escapes. */
  @Test
  void a_percent_sign_that_is_encoded_thousands_of_times_is_judged_in_one_pass() {
    var nested = "%" + "25".repeat(8_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(2),
        () -> {
          for (int i = 0; i < 200; i++) {
            assertTrue(
                RequestTarget.fault("/api/" + nested + "2e").orElse("").contains("dot segment"));
            assertEquals(Optional.empty(), RequestTarget.fault("/api/" + nested + "41"));
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    "/api?x=http://a/b, /api?x=http://a/b",
    "http://host/api?x=y, /api?x=y",
    "https://host, /"
  })
  void the_origin_of_an_absolute_target_is_left_out(String target, String rest) {
    assertEquals(rest, RequestTarget.withoutOrigin(target));
  }
}

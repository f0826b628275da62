package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behind a proxy: what the framework would log or fail for is dropped before it reads it. */
class ForwardedHeadersTest {
  private static List<String> cleaned(String name, String... lines) {
    var headers = new DefaultHttpHeaders();
    headers.add(name, Arrays.asList(lines));
    ForwardedHeaders.clean(headers);
    return headers.getAll(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "198.51.100.7",
        "198.51.100.7, 192.0.2.1",
        "198.51.100.7:65535",
        "198.51.100.7:",
        "::1",
        "2001:db8::7, 192.0.2.1",
        "[2001:db8::7]",
        "[2001:db8::7]:443",
        "unknown"
      })
  void a_list_that_begins_with_an_address_stays(String list) {
    assertEquals(List.of(list), cleaned("X-Forwarded-For", list));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.2.3.4:99999",
        "1.2.3.4:65536",
        "1.2.3.4:-1",
        "1.2.3.4:x",
        "1.2.3.4:80 ",
        "[::1]:99999",
        "[::1]:x",
        "a:b",
        ":80",
        "",
        ", ,:1"
      })
  void addresses_with_a_port_that_is_none_and_without_a_host_are_dropped(String list) {
    assertEquals(List.of(), cleaned("X-Forwarded-For", list));
    assertEquals(List.of("192.0.2.1"), cleaned("X-Forwarded-For", list + ", 192.0.2.1"));
    assertEquals(List.of("192.0.2.1"), cleaned("X-Forwarded-For", list, "192.0.2.1"));
  }

  @ParameterizedTest
  @CsvSource({
    "X-Forwarded-Port, 443, true",
    "X-Forwarded-Port, '443, 80', true",
    "X-Forwarded-Port, 99999, false",
    "X-Forwarded-Port, x, false",
    "X-Forwarded-Host, cairn.example.org, true",
    "X-Forwarded-Host, cairn.example.org:8443, true",
    "X-Forwarded-Host, cairn.example.org:99999, false",
    "X-Forwarded-Trusted-Proxy, true, false"
  })
  void other_headers_are_kept_only_if_the_framework_can_read_them(
      String name, String line, boolean isKept) {
    assertEquals(isKept ? List.of(line) : List.of(), cleaned(name, line));
  }

  @Test
  void other_lines_stay() {
    assertEquals(
        List.of("192.0.2.1", "198.51.100.7"),
        cleaned("X-Forwarded-For", "192.0.2.1", "198.51.100.7"));
  }
}

package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/api.md, Compression: which coding a client gets. */
class AcceptedCodingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip                              | GZIP_IF_LONG",
        "GZip                              | GZIP_IF_LONG",
        "x-gzip                            | GZIP_IF_LONG",
        "gzip, deflate, br, zstd           | GZIP_IF_LONG",
        "br;q=1.0, gzip;q=0.2              | GZIP_IF_LONG",
        "gzip;q=0.001                      | GZIP_IF_LONG",
        "gzip ; q=1.000                    | GZIP_IF_LONG",
        "*                                 | GZIP_IF_LONG",
        "*;q=0.5                           | GZIP_IF_LONG",
        "br, *;q=0.1                       | GZIP_IF_LONG",
        "gzip, identity                    | GZIP_IF_LONG",
        "gzip;q=0.5, identity;q=0.5        | GZIP_IF_LONG",
        "gzip, *;q=0.000, identity;q=0.1   | GZIP_IF_LONG",
        "gzip, identity;q=0                | GZIP",
        "gzip, *;q=0                       | GZIP",
        "identity;q=0                      | GZIP",
        "br, identity;q=0.0                | GZIP",
        "*, identity;q=0                   | GZIP",
        "''                                | IDENTITY",
        "identity                          | IDENTITY",
        "br                                | IDENTITY",
        "deflate, compress                 | IDENTITY",
        "gzip;q=0                          | IDENTITY",
        "gzip;q=0.000, *                   | IDENTITY",
        "gzip;q=0, identity;q=0            | IDENTITY",
        "*;q=0                             | IDENTITY",
        "identity, gzip;q=0.5              | IDENTITY",
        "identity, *;q=0.9                 | IDENTITY",
        "gzip;q=2                          | IDENTITY",
        "gzip;q=0.1234                     | IDENTITY",
        "gzip;level=1                      | IDENTITY",
        "gzip;                             | IDENTITY",
        "gzipped                           | IDENTITY",
      })
  void the_weights_decide(String header, AcceptedCoding expected) {
    assertEquals(expected, AcceptedCoding.of(List.of(header)));
  }

  @Test
  void several_headers_are_one_list() {
    assertEquals(AcceptedCoding.GZIP, AcceptedCoding.of(List.of("identity;q=0", "br", "gzip")));
  }

  @Test
  void an_answer_is_compressed_if_it_is_longer_than_one_kib_or_must_be() {
    assertFalse(AcceptedCoding.GZIP_IF_LONG.compresses(1024));
    assertTrue(AcceptedCoding.GZIP_IF_LONG.compresses(1025));
    assertTrue(AcceptedCoding.GZIP_IF_LONG.compresses(AcceptedCoding.STREAM));
    assertTrue(AcceptedCoding.GZIP.compresses(1));
    assertFalse(AcceptedCoding.GZIP.compresses(0));
    assertFalse(AcceptedCoding.IDENTITY.compresses(AcceptedCoding.STREAM));
  }

  @ParameterizedTest
  @CsvSource({
    "/oauth, false",
    "/oauth/sign-in, false",
    "/oauth/authorize, false",
    "/device, false",
    "/devices/repo/readme.md, true",
    "/api/auth/login, true",
    "/api/pats, true",
    "/oauth2/repo/readme.md, true",
    "/mcp, true"
  })
  void pages_that_take_cookies_are_never_compressed(String path, boolean mayCompress) {
    assertEquals(mayCompress, AcceptedCoding.mayCompress(path));
  }

  @Test
  void a_hostile_header_is_read_in_no_time() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          AcceptedCoding.of(List.of(",".repeat(30_000)));
          AcceptedCoding.of(List.of("a;q=0.1,".repeat(4_000)));
          AcceptedCoding.of(List.of(" \t".repeat(15_000) + "!"));
          AcceptedCoding.of(List.of("a" + " ".repeat(30_000) + ";q=9"));
        });
  }
}

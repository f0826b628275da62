package dev.cairn.export;

import static dev.cairn.platform.http.CodedAnswer.get;
import static dev.cairn.platform.http.CodedAnswer.head;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.model.Sha256;
import dev.cairn.platform.http.CodedAnswer;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md: compressed streams and downloads. */
@HttpTest
@QuarkusTest
class CompressedExportTest {
  private static final String ACCEPT = "Accept-Encoding";

  private static String repository;
  private static String link;
  private static CodedAnswer plain;

  @BeforeEach
  void build() {
    if (link == null) {
      repository = Api.repositoryOf(300, 1000);
      link = Exports.link(repository, Exports.mint(repository));
      plain = get(link);
    }
  }

  @Test
  void a_stream_is_compressed_whatever_its_length() {
    for (var path : List.of(repository + "/export", Api.newRepository() + "/export")) {
      var whole = get(path);
      var compressed = get(path, ACCEPT, "gzip");
      assertFalse(whole.isCompressed());
      assertTrue(compressed.isCompressed());
      assertArrayEquals(whole.body(), compressed.body());
      assertEquals(whole.header("ETag").replaceAll("\"$", "-gzip\""), compressed.header("ETag"));
      for (var answer : List.of(whole, compressed)) {
        assertEquals("Authorization, Accept-Encoding", answer.header("Vary"));
        assertEquals("application/x-ndjson", answer.header("Content-Type"));
      }
    }
    assertTrue(get(repository + "/export", ACCEPT, "gzip").sent().length < 50_000);
  }

  @Test
  void a_stream_answers_head_and_304_as_it_would_be_sent() {
    var path = repository + "/export";
    for (var coding : List.of("gzip", "identity")) {
      var got = get(path, ACCEPT, coding);
      var told = head(path, ACCEPT, coding);
      for (var name :
          List.of("ETag", "Vary", "Content-Encoding", "Content-Type", "X-Cairn-Repo-Seq")) {
        assertEquals(got.header(name), told.header(name), name);
      }
      for (var known : List.of(got.header("ETag"), "*")) {
        var again = get(path, ACCEPT, coding, "If-None-Match", known);
        assertEquals(304, again.status());
        assertEquals(got.header("ETag"), again.header("ETag"));
      }
    }
    var compressed = get(path, ACCEPT, "gzip").header("ETag");
    assertEquals(200, get(path, "If-None-Match", compressed).status());
  }

  @Test
  void a_download_is_compressed_and_its_hash_is_that_of_the_lines() {
    var compressed = get(link, ACCEPT, "gzip");
    assertTrue(compressed.isCompressed());
    assertTrue(compressed.sent().length < plain.sent().length / 5);
    assertArrayEquals(plain.body(), compressed.body());
    var hash = HexFormat.of().formatHex(Sha256.of(compressed.body()));
    assertEquals('"' + hash + '"', plain.header("ETag"));
    assertEquals('"' + hash + "-gzip\"", compressed.header("ETag"));
    assertNull(compressed.header("Content-Length"));
    assertNull(compressed.header("Accept-Ranges"));
    assertEquals(Integer.toString(plain.sent().length), plain.header("Content-Length"));
    assertEquals(List.of(ACCEPT), plain.vary());
    assertEquals(List.of(ACCEPT), compressed.vary());
  }

  @Test
  void a_range_is_of_the_content_as_it_is() {
    var part = get(link, ACCEPT, "gzip", "Range", "bytes=5-14");
    assertEquals(206, part.status());
    assertFalse(part.isCompressed());
    assertArrayEquals(Arrays.copyOfRange(plain.body(), 5, 15), part.sent());
    assertEquals(plain.header("ETag"), part.header("ETag"));
    var refused = get(link, ACCEPT, "gzip", "Range", "bytes=99999999-");
    assertEquals(416, refused.status());
    // What was received compressed cannot be resumed.
    var compressedTag = get(link, ACCEPT, "gzip").header("ETag");
    var anew = get(link, ACCEPT, "gzip", "Range", "bytes=5-14", "If-Range", compressedTag);
    assertEquals(200, anew.status());
    assertTrue(anew.isCompressed());
  }

  @Test
  void a_download_answers_head_and_304_as_it_would_be_sent() {
    var compressed = get(link, ACCEPT, "gzip");
    var told = head(link, ACCEPT, "gzip");
    for (var name : List.of("ETag", "Vary", "Content-Encoding", "Content-Type", "Content-Length")) {
      assertEquals(compressed.header(name), told.header(name), name);
      assertEquals(plain.header(name), head(link).header(name), name);
    }
    var tag = compressed.header("ETag");
    for (var known : List.of(tag, "*", plain.header("ETag") + ", " + tag)) {
      var again = get(link, ACCEPT, "gzip", "If-None-Match", known);
      assertEquals(304, again.status());
      assertEquals(tag, again.header("ETag"));
    }
    assertEquals(200, get(link, "If-None-Match", tag).status());
  }

  @Test
  void an_empty_download_is_not_compressed() {
    var empty = Api.newRepository();
    var answer = get(Exports.link(empty, Exports.mint(empty)), ACCEPT, "gzip, identity;q=0");
    assertEquals(200, answer.status());
    assertNull(answer.header("Content-Encoding"));
    assertEquals("0", answer.header("Content-Length"));
  }
}

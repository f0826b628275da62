package dev.cairn.access.conditional;

import static dev.cairn.platform.http.AcceptedCoding.GZIP;
import static dev.cairn.platform.http.AcceptedCoding.GZIP_IF_LONG;
import static dev.cairn.platform.http.AcceptedCoding.IDENTITY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.http.AcceptedCoding;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTagsTest {
  /** Lengths of an answer that would be compressed, and of one that would not. */
  private static final int LONG = 2000;

  private static final int SHORT = 1000;

  private static EntityTags read(String... lines) {
    return read(IDENTITY, lines);
  }

  private static EntityTags read(AcceptedCoding coding, String... lines) {
    return EntityTags.ifNoneMatch(headers("If-None-Match", lines), coding);
  }

  private static MultiMap headers(String name, String... lines) {
    var headers = MultiMap.caseInsensitiveMultiMap();
    Stream.of(lines).forEach(line -> headers.add(name, line));
    return headers;
  }

  private static boolean lists(EntityTags tags, String tag) {
    return tags.held('"' + tag + '"').isPresent();
  }

  private static void assertLists(List<String> weak, List<String> strong, EntityTags tags) {
    assertTrue(tags.listsAny());
    assertFalse(tags.matchesAny());
    for (var tag : List.of("a", "b", "c,d", "", "c", "d", "A")) {
      assertEquals(weak.contains(tag) || strong.contains(tag), lists(tags, tag), tag);
      assertEquals(strong.contains(tag), tags.listsStrongly('"' + tag + '"'), tag);
      assertEquals(tags.held('"' + tag + '"'), tags.held('"' + tag + '"', LONG), tag);
    }
  }

  @Test
  void tags_are_listed_with_commas_between_them_and_over_several_headers() {
    assertLists(List.of(), List.of("a"), read("\"a\""));
    assertLists(List.of("b"), List.of("a", "c,d"), read("\"a\" , W/\"b\",\t\"c,d\""));
    assertLists(List.of(), List.of("a", "b"), read("\"a\"", "\"b\""));
    assertLists(List.of(), List.of("a", ""), read(" , ,\"a\",,\"\", "));
    assertLists(List.of("a"), List.of("a"), read("W/\"a\", \"a\""));
  }

  @Test
  void a_star_alone_is_every_state() {
    var tags = read(" * ");
    assertTrue(tags.matchesAny());
    assertEquals(Optional.of("\"a\""), tags.held("\"a\"", LONG));
    assertFalse(tags.listsAny());
    assertFalse(lists(tags, "a"));
  }

  private static Optional<String> held(AcceptedCoding coding, String... lines) {
    return read(coding, lines).held("\"a\"");
  }

  @Test
  void a_client_has_what_it_lists_in_a_form_that_it_accepts() {
    var plain = Optional.of("\"a\"");
    var compressed = Optional.of("\"a-gzip\"");
    var none = Optional.<String>empty();
    assertEquals(plain, held(IDENTITY, "\"a\""));
    assertEquals(none, held(IDENTITY, "\"a-gzip\""));
    assertEquals(plain, held(IDENTITY, "\"a-gzip\", \"a\""));
    assertEquals(plain, held(GZIP_IF_LONG, "\"a\""));
    assertEquals(compressed, held(GZIP_IF_LONG, "W/\"a-gzip\""));
    assertEquals(compressed, held(GZIP_IF_LONG, "\"a\", \"a-gzip\""));
    assertEquals(none, held(GZIP, "\"a\""));
    assertEquals(compressed, held(GZIP, "\"a-gzip\""));
  }

  @Test
  void a_star_is_the_form_that_would_be_sent() {
    assertEquals(Optional.of("\"a\""), read(IDENTITY, "*").held("\"a\"", LONG));
    assertEquals(Optional.of("\"a\""), read(GZIP_IF_LONG, "*").held("\"a\"", SHORT));
    assertEquals(Optional.of("\"a-gzip\""), read(GZIP_IF_LONG, "*").held("\"a\"", LONG));
    assertEquals(Optional.of("\"a-gzip\""), read(GZIP, "*").held("\"a\"", SHORT));
  }

  @Test
  void both_forms_name_the_state_that_a_change_is_for() {
    for (var line : List.of("\"a\"", "\"a-gzip\"", "\"x\", \"a-gzip\"")) {
      assertTrue(EntityTags.ifMatch(headers("If-Match", line)).listsStrongly("\"a\""), line);
    }
    for (var line : List.of("W/\"a-gzip\"", "\"b-gzip\"", "\"a-gzip-gzip\"", "\"-gzip\"")) {
      assertFalse(EntityTags.ifMatch(headers("If-Match", line)).listsStrongly("\"a\""), line);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "a",
        "\"a",
        "a\"",
        "\"a\"b",
        "\"a\" \"b\"",
        "w/\"a\"",
        "W/ \"a\"",
        "'a'",
        "*, \"a\"",
        "\"a\", *",
        "**",
        "\"a\", b",
        "\"a b\"",
        "\"a\\\"\""
      })
  void what_is_malformed_lists_nothing(String text) {
    var tags = read(text);
    assertFalse(tags.matchesAny());
    assertFalse(tags.listsAny());
    assertFalse(lists(tags, "a"));
  }

  @Test
  void a_hostile_header_is_read_in_no_time() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          read(",\t ".repeat(10_000) + "x");
          read("\"a\",".repeat(8_000) + "x");
          read("\"".repeat(30_000));
          assertFalse(lists(read("\"a\",".repeat(8_000)), "b"));
        });
  }
}

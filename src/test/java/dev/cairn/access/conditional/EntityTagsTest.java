package dev.cairn.access.conditional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTagsTest {
  private static EntityTags read(String... lines) {
    var headers = MultiMap.caseInsensitiveMultiMap();
    Stream.of(lines).forEach(line -> headers.add("If-None-Match", line));
    return EntityTags.ifNoneMatch(headers);
  }

  private static void assertLists(List<String> weak, List<String> strong, EntityTags tags) {
    assertTrue(tags.listsAny());
    assertFalse(tags.any());
    for (var tag : List.of("a", "b", "c,d", "", "c", "d", "A")) {
      assertEquals(weak.contains(tag) || strong.contains(tag), tags.lists(tag), tag);
      assertEquals(strong.contains(tag), tags.listsStrongly(tag), tag);
      assertEquals(tags.lists(tag), tags.include('"' + tag + '"'), tag);
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
    assertTrue(tags.any());
    assertTrue(tags.include("\"a\""));
    assertFalse(tags.listsAny());
    assertFalse(tags.lists("a"));
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
    assertFalse(tags.any());
    assertFalse(tags.listsAny());
    assertFalse(tags.lists("a"));
  }

  @Test
  void a_hostile_header_is_read_in_no_time() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          read(",\t ".repeat(10_000) + "x");
          read("\"a\",".repeat(8_000) + "x");
          read("\"".repeat(30_000));
          assertFalse(read("\"a\",".repeat(8_000)).lists("b"));
        });
  }
}

package dev.cairn.access.conditional;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.Set;
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

  private static EntityTags listed(Set<String> weak, Set<String> strong) {
    return new EntityTags(false, weak, strong);
  }

  @Test
  void tags_are_listed_with_commas_between_them_and_over_several_headers() {
    assertEquals(listed(Set.of(), Set.of("a")), read("\"a\""));
    assertEquals(listed(Set.of("b"), Set.of("a", "c,d")), read("\"a\" , W/\"b\",\t\"c,d\""));
    assertEquals(listed(Set.of(), Set.of("a", "b")), read("\"a\"", "\"b\""));
    assertEquals(listed(Set.of(), Set.of("a", "")), read(" , ,\"a\",,\"\", "));
  }

  @Test
  void a_star_alone_is_every_state() {
    assertEquals(new EntityTags(true, Set.of(), Set.of()), read(" * "));
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
    assertEquals(listed(Set.of(), Set.of()), read(text));
  }

  @Test
  void a_hostile_header_is_read_in_no_time() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          read(",\t ".repeat(10_000) + "x");
          read("\"a\",".repeat(8_000) + "x");
          read("\"".repeat(30_000));
        });
  }
}

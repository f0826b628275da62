package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Search: snippets of a hit; {@code docs/search.md}, Snippets. */
class HighlighterTest {
  private static Highlighter highlighter(String query) {
    return new Highlighter(
        SearchQuery.parse(query), List.of(Map.of("red", List.of(), "b", List.of())));
  }

  @Test
  void the_first_strings_with_most_of_the_words_are_shown() {
    var data =
        """
        {"a":"red","b":["red","red b",{"c/d":"b red"}],"e":"red b","f":"red"}""";
    assertEquals(
        List.of("/b/1", "/b/2/c~1d", "/e"),
        highlighter("red b").snippets(data).stream().map(Highlighter.Snippet::pointer).toList());
  }

  @Test
  void many_deeply_nested_words_take_no_time() {
    var data = new StringBuilder();
    var name = "\u0101" + "~".repeat(199);
    for (int i = 0; i < 60; i++) {
      data.append("{\"").append(name).append("\":");
    }
    data.append("[").append("\"red\",".repeat(15_900)).append("\"b\"]").append("}".repeat(60));
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          for (int i = 0; i < 20; i++) {
            assertEquals(3, highlighter("red").snippets(data.toString()).size());
          }
        });
  }
}

package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.platform.http.JsonSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The size of answers, and how their texts are written. */
class AnswerSizeTest {
  private static final ObjectMapper JSON = new JsonSettings().mapper(List.of());

  private static AnswerSize ofMost(int bytes) {
    return new AnswerSize(null, JSON, new SimpleMeterRegistry(), bytes);
  }

  @Test
  void an_answer_has_at_most_a_given_number_of_bytes() throws IOException {
    var answer = List.of("x".repeat(20_000), "\u00fc");
    int size = 20_000 + "['','\u00fc']".getBytes(StandardCharsets.UTF_8).length;
    assertEquals(size, ofMost(size).written(answer).orElseThrow().length);
    assertEquals(Optional.empty(), ofMost(size - 1).written(answer));
  }

  @Test
  void characters_beyond_the_basic_plane_are_written_as_utf_8() throws IOException {
    var text = "a\ud83d\ude00z";
    assertArrayEquals(
        ("[\"" + text + "\"]").getBytes(StandardCharsets.UTF_8),
        ofMost(100).written(List.of(text)).orElseThrow());
  }
}

package dev.cairn.platform.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The memory that a body takes when it is parsed, as it is estimated before. */
class ParsedSizeTest {
  private static final long MIB = 1024 * 1024;
  private static final int COUNT = 100_000;

  /** Bytes of heap, as measured, that an item of 27 bytes takes. */
  private static final int MEASURED = 1_150;

  private static long of(String json) {
    return ParsedSize.of(json.getBytes(UTF_8));
  }

  @Test
  void objects_within_objects_take_many_times_their_length() {
    long size = of("[" + "{\"a\":{\"a\":{\"a\":{\"a\":{}}}}},".repeat(COUNT) + "0]");
    assertTrue(size > (long) MEASURED * COUNT, size + " bytes");
    assertTrue(size < 3L * MEASURED * COUNT / 2, size + " bytes");
  }

  @Test
  void long_texts_take_their_characters_twice_and_what_is_written_of_them() {
    long size = of("{\"a\":\"" + "x".repeat(COUNT) + "\"}");
    assertEquals(4 * COUNT, size - size % COUNT);
  }

  @Test
  void what_is_in_a_string_is_text() {
    assertEquals(of("[\"aaaaaaaaaa\"]"), of("[\"{[:,\\\"\\\\{[\"]"));
    assertTrue(of("[\"a\\\\\",{}]") > of("[\"a\\\",{}]"), "the string ends after its escape");
  }

  @Test
  void parts_count_as_the_whole() {
    var json = "{\"a\\\"{\":[1,2,{\"b\":\"c\\\\\"}]}".getBytes(UTF_8);
    IntStream.range(0, json.length)
        .forEach(
            middle -> {
              var size = new ParsedSize();
              size.add(json, middle);
              var rest = Arrays.copyOfRange(json, middle, json.length + 1);
              size.add(rest, json.length - middle);
              assertEquals(ParsedSize.of(json), size.bytes(), "cut at " + middle);
            });
  }

  @Test
  void a_body_that_takes_more_than_the_room_is_refused() {
    long room = HeapShare.LARGE_BODIES.bytesOf(512 * MIB);
    BodyMemory.requireFitting(room, room);
    var refused = assertThrows(Problem.class, () -> BodyMemory.requireFitting(room + 1, room));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refused.code());
    assertTrue(refused.detail().contains("102 MiB"), refused.detail());
  }
}

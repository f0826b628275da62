package dev.cairn.platform.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Answers of many blocks. */
class JsonOutTest {
  private static final int TEXTS = 60_000;
  private static final String LARGE = "x".repeat(1_000_000);

  private static JsonOut written() {
    var out = new JsonOut().array();
    IntStream.range(0, TEXTS).forEach(i -> out.value("ü" + i));
    out.stored(("\"" + LARGE + "\"").getBytes(UTF_8));
    IntStream.range(0, TEXTS).forEach(out::value);
    return out.endArray();
  }

  private static byte[] expected() {
    var texts =
        IntStream.range(0, TEXTS).mapToObj(i -> "\"ü" + i + "\"").collect(Collectors.joining(","));
    var numbers =
        IntStream.range(0, TEXTS).mapToObj(String::valueOf).collect(Collectors.joining(","));
    return ("[" + texts + ",\"" + LARGE + "\"," + numbers + "]").getBytes(UTF_8);
  }

  @Test
  void blocks_are_joined_in_their_order() {
    var out = written();
    assertEquals(expected().length, out.size());
    assertArrayEquals(expected(), out.toBytes());
  }

  @Test
  void blocks_are_handed_over_in_their_order_and_once() throws IOException {
    var out = written();
    var bytes = new ByteArrayOutputStream();
    out.drainTo(bytes);
    assertEquals(0, out.size());
    out.endLine().drainTo(bytes);
    assertEquals(new String(expected(), UTF_8) + "\n", bytes.toString(UTF_8));
  }
}

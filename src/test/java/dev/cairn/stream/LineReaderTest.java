package dev.cairn.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.PartwiseInput;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/streams.md, Slow clients and Limits: the lines of a body that comes as it likes. */
class LineReaderTest {
  private static final Duration LONG = Duration.ofSeconds(10);

  /** A body that never ends, and of which more is always there. */
  private static PartwiseInput endless(char one) {
    return (into, offset, count, _) -> {
      Arrays.fill(into, offset, offset + count, (byte) one);
      return count;
    };
  }

  private static PartwiseInput of(String text) {
    var bytes = text.getBytes(UTF_8);
    var at = new int[1];
    return (into, offset, count, _) -> {
      int taken = Math.min(count, bytes.length - at[0]);
      System.arraycopy(bytes, at[0], into, offset, taken);
      at[0] += taken;
      return taken == 0 ? -1 : taken;
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void it_returns_in_time_however_fast_a_line_without_an_end_comes(int millis) {
    var reader = new LineReader(endless('x'));
    assertTimeoutPreemptively(LONG, () -> assertNull(reader.next(Duration.ofMillis(millis))));
  }

  @Test
  void it_returns_in_time_however_fast_empty_lines_come() {
    var reader = new LineReader(endless('\n'));
    assertTimeoutPreemptively(LONG, () -> assertNull(reader.next(Duration.ZERO)));
  }

  @Test
  void a_body_may_have_so_many_empty_lines_and_no_more() {
    var most = "\n".repeat(LineReader.MAX_EMPTY_LINES);
    assertEquals(
        LineReader.MAX_EMPTY_LINES + 1, new LineReader(of(most + "{}\n")).next(LONG).number());
    var reader = new LineReader(of(most + " \n{}\n"));
    var refused = assertThrows(Problem.class, () -> reader.next(LONG));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refused.code());
  }

  @Test
  void the_end_of_a_body_is_not_an_empty_line() {
    var reader = new LineReader(of("\n".repeat(LineReader.MAX_EMPTY_LINES) + "{}\n"));
    assertNotNull(reader.next(LONG));
    assertNull(reader.next(LONG));
  }
}

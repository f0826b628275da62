package dev.cairn.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.KeptBytes;
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

  /** Counts what is kept. */
  private static final class Counted implements KeptBytes {
    private long size = Long.MAX_VALUE;
    private long kept;
    private long most;

    @Override
    public void keep(int more) {
      kept += more;
      most = Math.max(most, kept);
    }

    @Override
    public void drop(int fewer) {
      kept -= fewer;
    }

    @Override
    public boolean fits(int more) {
      return kept + more <= size;
    }

    @Override
    public void requireRoom() {}

    @Override
    public <E extends Exception> void whileUsed(Work<E> work) throws E {
      work.run();
    }

    @Override
    public void close() {}
  }

  private final Counted room = new Counted();

  private LineReader reader(PartwiseInput body) {
    return new LineReader(body, room);
  }

  @Test
  void room_is_taken_for_what_has_come_of_a_line_and_for_lines_until_they_are_dropped() {
    int max = LineReader.MAX_LINE_BYTES;
    var unfinished = reader(of("{}\n" + "x".repeat(max)));
    var first = unfinished.next(LONG);
    long ofFirst = room.kept;
    assertTrue(ofFirst >= 2, room.kept + " bytes");
    assertNotNull(unfinished.next(LONG));
    assertTrue(room.most >= ofFirst + max, room.most + " bytes");
    assertTrue(room.most <= ofFirst + max + 1024, room.most + " bytes");
    unfinished.drop(first);
    assertTrue(room.kept >= max && room.kept < max + 1024, room.kept + " bytes");
  }

  @Test
  void a_line_for_which_others_leave_no_room_is_read_on_when_they_are_dropped() {
    var reader = reader(of("{}\n" + "x".repeat(100_000) + "\n"));
    room.size = 50_000;
    var first = reader.next(LONG);
    assertNull(reader.next(LONG));
    assertTrue(reader.lacksRoom());
    reader.drop(first);
    var second = reader.next(LONG);
    assertEquals(100_000, second.json().length);
    assertFalse(reader.lacksRoom());
    reader.drop(second);
    assertEquals(0, room.kept);
  }

  @Test
  void lines_that_are_skipped_or_too_long_take_no_room_in_the_end() {
    var tooLong = "x".repeat(LineReader.MAX_LINE_BYTES + 1) + "\n";
    var reader = reader(of(" ".repeat(100_000) + "\n" + tooLong + "{}\n"));
    var refused = reader.next(LONG);
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refused.refusal().code());
    var line = reader.next(LONG);
    assertEquals(3, line.number());
    reader.drop(refused);
    reader.drop(line);
    assertEquals(0, room.kept);
    assertTrue(room.most <= LineReader.MAX_LINE_BYTES, room.most + " bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void it_returns_in_time_however_fast_a_line_without_an_end_comes(int millis) {
    var reader = reader(endless('x'));
    assertTimeoutPreemptively(LONG, () -> assertNull(reader.next(Duration.ofMillis(millis))));
  }

  @Test
  void it_returns_in_time_however_fast_empty_lines_come() {
    var reader = reader(endless('\n'));
    assertTimeoutPreemptively(LONG, () -> assertNull(reader.next(Duration.ZERO)));
  }

  @Test
  void a_body_may_have_so_many_empty_lines_and_no_more() {
    var most = "\n".repeat(LineReader.MAX_EMPTY_LINES);
    assertEquals(LineReader.MAX_EMPTY_LINES + 1, reader(of(most + "{}\n")).next(LONG).number());
    var reader = reader(of(most + " \n{}\n"));
    var refused = assertThrows(Problem.class, () -> reader.next(LONG));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refused.code());
  }

  @Test
  void the_end_of_a_body_is_not_an_empty_line() {
    var reader = reader(of("\n".repeat(LineReader.MAX_EMPTY_LINES) + "{}\n"));
    assertNotNull(reader.next(LONG));
    assertNull(reader.next(LONG));
  }
}

package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.RequestLimits;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

/** A body is read once, however often it is asked for. */
class ReceivedBodyTest {
  @Test
  void one_that_cannot_be_read_fails_in_the_same_way_each_time() {
    var stream = new ByteArrayInputStream(new byte[RequestLimits.MAX_BODY + 10]);
    try (var body = new ReceivedBody(stream)) {
      var first = assertThrows(Problem.class, body::bytes);
      assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, first.code());
      assertSame(first, assertThrows(Problem.class, body::bytes));
    }
    assertEquals(9, stream.available());
  }

  @Test
  void one_that_was_read_is_not_read_again() {
    try (var body = new ReceivedBody(new ByteArrayInputStream(new byte[5]))) {
      assertEquals(5, body.bytes().length);
      assertSame(body.bytes(), body.bytes());
    }
  }
}

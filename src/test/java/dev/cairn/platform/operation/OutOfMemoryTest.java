package dev.cairn.platform.operation;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Operation: what ends the process. */
class OutOfMemoryTest {
  @Test
  void lack_of_memory_is_found_beneath_what_wraps_it() {
    var error = new OutOfMemoryError();
    assertTrue(OutOfMemory.isCauseOf(error));
    assertTrue(OutOfMemory.isCauseOf(new CompletionException(new IllegalStateException(error))));
    assertFalse(OutOfMemory.isCauseOf(new IllegalStateException()));
    assertFalse(OutOfMemory.isCauseOf(null));
  }

  @Test
  void causes_in_a_circle_come_to_an_end() {
    var one = new IllegalStateException();
    var other = new IllegalStateException(one);
    one.initCause(other);
    assertFalse(OutOfMemory.isCauseOf(one));
  }
}

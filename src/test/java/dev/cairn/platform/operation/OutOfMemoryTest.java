package dev.cairn.platform.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"thread", "log"})
  void a_process_whose_memory_runs_out_ends(String how) throws Exception {
    var classes =
        Stream.of(OutOfMemory.class, OutOfMemoryProcess.class)
            .map(one -> one.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:+UseSerialGC",
                "-cp",
                classes,
                OutOfMemoryProcess.class.getName(),
                how)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    try {
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it goes on");
      assertEquals(3, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void causes_in_a_circle_come_to_an_end() {
    var one = new IllegalStateException();
    var other = new IllegalStateException(one);
    one.initCause(other);
    assertFalse(OutOfMemory.isCauseOf(one));
  }
}

package dev.cairn.platform.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operation, Traces: without an endpoint there are none. */
@HttpTest
@QuarkusTest
@InProcess("It asks for a span, and looks at the threads.")
class TracesTest {
  @Inject Traces traces;

  @Test
  void without_an_endpoint_no_span_records_anything() {
    assertFalse(traces.areOn());
    var span = traces.tracer().spanBuilder("any").startSpan();
    assertFalse(span.isRecording());
  }

  @Test
  void without_an_endpoint_nobody_waits_to_send_spans() {
    assertEquals(
        List.of(),
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.contains("BatchSpanProcessor"))
            .toList());
  }
}

package dev.cairn.platform.operation;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.Configs;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** docs/operation.md, Stop: what is not for StopIT. */
class GracefulShutdownTest {
  @Test
  void a_delay_of_quarkus_which_would_come_too_late_is_refused_and_the_right_one_named() {
    var config = Configs.with("cairn.stop.delay", "PT1S");
    var delay = Optional.of(Duration.ofSeconds(5));
    var fault =
        assertThrows(
            IllegalStateException.class,
            () -> new GracefulShutdown(null, null, config, Optional.empty(), delay));
    assertTrue(fault.getMessage().contains("CAIRN_STOP_DELAY"), fault::getMessage);
  }

  @Test
  void a_timeout_of_quarkus_which_would_wait_for_closed_websockets_is_refused_too() {
    var timeout = Optional.of(Duration.ofSeconds(5));
    var fault =
        assertThrows(
            IllegalStateException.class,
            () ->
                new GracefulShutdown(
                    null,
                    null,
                    Configs.with("cairn.stop.delay", "PT1S"),
                    timeout,
                    Optional.empty()));
    assertTrue(fault.getMessage().contains("CAIRN_STOP_TIMEOUT"), fault::getMessage);
  }
}

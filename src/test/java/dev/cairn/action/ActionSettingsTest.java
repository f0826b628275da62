package dev.cairn.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.Configs;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Actions: settings that cannot work stop the start. */
class ActionSettingsTest {
  private static List<String> faults(String property, String value) {
    return new ActionSettings(Configs.of(Map.of(property, value))).faults();
  }

  @ParameterizedTest
  @CsvSource({
    "cairn.retry.delays, 'PT0S,-PT1S'",
    "cairn.retry.max-attempts, 0",
    "cairn.retry.max-attempts, 101",
    "cairn.webhook.timeout, PT0S",
    "cairn.webhook.timeout, PT5M0.001S",
    "cairn.callback.deadline, PT0S",
    "cairn.run.retention, PT0S",
    "cairn.tick.token, fifteen letters",
    "cairn.worker.webhooks, 0",
    "cairn.worker.sprites, 0"
  })
  void what_cannot_work_is_named_by_property_and_variable(String property, String value) {
    var faults = faults(property, value);
    var variable = property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    assertEquals(1, faults.size(), faults::toString);
    assertTrue(faults.getFirst().startsWith(property + " (" + variable + ")"), faults::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "cairn.retry.delays, PT0S",
    "cairn.retry.max-attempts, 1",
    "cairn.retry.max-attempts, 100",
    "cairn.webhook.timeout, PT5M",
    "cairn.callback.deadline, PT0.001S",
    "cairn.run.retention, PT1S",
    "cairn.tick.token, sixteen letters!",
    "cairn.worker.webhooks, 1",
    "cairn.worker.sprites, 1"
  })
  void what_is_at_the_edge_of_what_works_is_taken(String property, String value) {
    assertEquals(List.of(), faults(property, value));
  }
}

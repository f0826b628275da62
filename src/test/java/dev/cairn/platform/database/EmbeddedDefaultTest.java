package dev.cairn.platform.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/configuration.md}: the defaults that change with the embedded PostgreSQL. */
class EmbeddedDefaultTest {
  private static final Map<String, String> ALL =
      Map.of(
          "cairn.demo", "true",
          "cairn.signup.open", "true",
          "cairn.quotas.bytes-per-organization", "10737418240",
          "cairn.sprite.backend", "local",
          "cairn.sprite.organizations", "demo");

  @Test
  void without_settings_all_of_them_apply() {
    assertEquals(ALL, defaults(Map.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "cairn.signup.open, false",
    "cairn.signup.open, true",
    "cairn.quotas.bytes-per-organization, 1000000",
    "cairn.quotas.bytes-per-organization, 0",
    "cairn.sprite.organizations, acme"
  })
  void a_setting_with_a_value_is_left_alone(String property, String value) {
    var expected = new HashMap<>(ALL);
    expected.remove(property);
    assertEquals(expected, defaults(Map.of(property, value)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "http"})
  void a_configured_backend_is_left_alone_with_its_organizations(String backend) {
    var defaults = defaults(Map.of("cairn.sprite.backend", backend));
    assertFalse(defaults.containsKey("cairn.sprite.backend"));
    assertFalse(defaults.containsKey("cairn.sprite.organizations"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "no", "off", "0"})
  void without_the_demo_repository_no_commands_run(String no) {
    var defaults = defaults(Map.of("cairn.demo", no));
    assertFalse(defaults.containsKey("cairn.demo"));
    assertFalse(defaults.containsKey("cairn.sprite.backend"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "yes", "on", "1"})
  void with_the_demo_repository_its_commands_run(String yes) {
    var defaults = defaults(Map.of("cairn.demo", yes));
    assertFalse(defaults.containsKey("cairn.demo"));
    assertEquals("local", defaults.get("cairn.sprite.backend"));
  }

  @Test
  void where_commands_cannot_run_there_is_no_backend() {
    var defaults = EmbeddedDefault.defaults(config(Map.of()), false);
    assertFalse(defaults.containsKey("cairn.sprite.backend"));
    assertTrue(defaults.containsKey("cairn.demo"));
  }

  @Test
  void a_list_written_with_an_index_for_each_element_is_left_alone() {
    var defaults = defaults(Map.of("cairn.sprite.organizations[0]", "acme"));
    assertFalse(defaults.containsKey("cairn.sprite.organizations"));
  }

  @Test
  void an_empty_value_keeps_the_default() {
    assertEquals(ALL, defaults(Map.of("cairn.signup.open", "", "cairn.sprite.backend", " ")));
  }

  @Test
  void a_reference_to_a_setting_that_does_not_exist_stops_the_start() {
    var config = Map.of("cairn.signup.open", "${is.sign-up.open}");
    var stop = assertThrows(IllegalStateException.class, () -> defaults(config));
    assertTrue(stop.getMessage().contains("cairn.signup.open"), stop::getMessage);
    assertTrue(stop.getMessage().contains("is.sign-up.open"), stop::getMessage);
  }

  private static Map<String, String> defaults(Map<String, String> settings) {
    return EmbeddedDefault.defaults(config(settings), true);
  }

  private static SmallRyeConfig config(Map<String, String> settings) {
    return new SmallRyeConfigBuilder()
        .addDefaultInterceptors()
        .withSources(new PropertiesConfigSource(settings, "test", 100))
        .build();
  }
}

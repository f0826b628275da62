package dev.cairn.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.CairnConfig;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EgressSettingsTest {
  @Test
  void a_wrong_entry_is_named_with_its_property_and_variable() {
    var faults = faults(Map.of("cairn.egress.allow", "10.0.0.0/8,example.org:80"));
    assertEquals(1, faults.size());
    assertTrue(
        faults.getFirst().startsWith("cairn.egress.allow (CAIRN_EGRESS_ALLOW): `example.org:80`"),
        faults::getFirst);
  }

  @Test
  void a_comma_list_of_names_addresses_and_ranges_is_fine_and_so_is_none() {
    assertEquals(List.of(), faults(Map.of()));
    assertEquals(List.of(), faults(Map.of("cairn.egress.allow", "")));
    assertEquals(
        List.of(),
        faults(Map.of("cairn.egress.allow", "hooks.internal, 127.0.0.1,10.0.0.0/8 ,::1/128,")));
  }

  private static List<String> faults(Map<String, String> properties) {
    var config =
        new SmallRyeConfigBuilder()
            .withMapping(CairnConfig.class)
            .withSources(new PropertiesConfigSource(properties, "test", 100))
            .build()
            .getConfigMapping(CairnConfig.class);
    return new EgressSettings(config).faults();
  }
}

package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.CairnConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of the embedding service; {@code docs/configuration.md}. */
class EmbeddingSettingsTest {
  private static final Map<String, String> VALID =
      Map.of("url", "http://embeddings:8080/v1", "model", "m", "dimensions", "4096");

  private static List<String> faults(Map<String, String> settings) {
    var named = new HashMap<String, String>();
    settings.forEach((name, value) -> named.put("cairn.embedding." + name, value));
    var config =
        new SmallRyeConfigBuilder()
            .withMapping(CairnConfig.class)
            .withDefaultValues(named)
            .build()
            .getConfigMapping(CairnConfig.class);
    return new EmbeddingSettings(config).faults();
  }

  @Test
  void without_a_url_or_with_what_is_required_there_is_no_fault() {
    assertEquals(List.of(), faults(Map.of()));
    assertEquals(List.of(), faults(VALID));
  }

  @ParameterizedTest
  @CsvSource({
    "url, ftp://embeddings/v1",
    "url, http://user:password@embeddings/v1",
    "url, http://embeddings/v1?key=x",
    "model, ' '",
    "model, modèle",
    "dimensions, 0",
    "dimensions, 4097",
    "batch, 0",
    "batch, 257",
    "timeout, PT0.5S",
    "timeout, PT5M1S",
    "key, clé",
  })
  void what_a_setting_does_not_take_is_named(String name, String value) {
    var settings = new HashMap<>(VALID);
    settings.put(name, value);
    var faults = faults(settings);
    assertEquals(1, faults.size(), faults.toString());
    assertTrue(faults.getFirst().startsWith("cairn.embedding." + name), faults.getFirst());
    assertTrue(!name.equals("key") || !faults.getFirst().contains(value), "it tells the key");
  }

  @ParameterizedTest
  @CsvSource({"batch, 1", "batch, 256", "dimensions, 1", "timeout, PT1S", "timeout, PT5M"})
  void the_edges_are_taken(String name, String value) {
    var settings = new HashMap<>(VALID);
    settings.put(name, value);
    assertEquals(List.of(), faults(settings));
  }

  @Test
  void a_url_requires_a_model_and_dimensions() {
    assertEquals(2, faults(Map.of("url", "https://embeddings/v1")).size());
  }
}

package dev.cairn.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configuration: where traces are sent, and that nothing else switches them on. */
class TracesEndpointTest {
  private static final String PROPERTY = "cairn.traces.endpoint";

  private static Optional<URI> endpoint(String text) {
    return Configs.of(Map.of(PROPERTY, text)).traces().endpoint();
  }

  /** What the service's own file of settings makes of an endpoint. */
  private static String wired(Map<String, String> settings, String property) throws IOException {
    var file = Path.of("src/main/resources/application.properties").toUri().toURL();
    return new SmallRyeConfigBuilder()
        .addDefaultInterceptors()
        .withSources(new PropertiesConfigSource(file, 100))
        .withSources(new PropertiesConfigSource(settings, "test", 200))
        .build()
        .getConfigValue(property)
        .getValue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://collector:4318", "https://traces.example.org/tenant/7", "http://[::1]:1/"})
  void an_http_url_is_taken(String text) {
    assertEquals(Optional.of(URI.create(text)), endpoint(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "collector:4318",
        "grpc://collector:4317",
        "http:///v1/traces",
        "http://user:pass@collector:4318",
        "http://collector:4318?key=a",
        "http://collector:4318#here",
        "no url",
        " "
      })
  void anything_else_stops_the_start_with_a_sentence_that_names_the_setting(String text) {
    var fault = assertThrows(ConfigValidationException.class, () -> endpoint(text)).getMessage();
    assertTrue(fault.contains(PROPERTY + " (CAIRN_TRACES_ENDPOINT) must be an http"), fault);
    assertFalse(fault.contains("pass"), fault);
  }

  @Test
  void an_empty_one_is_none() {
    assertEquals(Optional.empty(), endpoint(""));
  }

  @ParameterizedTest
  @CsvSource({"http://collector:4318, false", "'', true"})
  void an_endpoint_and_nothing_else_switches_traces_on(String text, String disabled)
      throws IOException {
    var settings = Map.of(PROPERTY, text);
    assertEquals(disabled, wired(settings, "quarkus.otel.sdk.disabled"));
    assertEquals("true", wired(Map.of(), "quarkus.otel.sdk.disabled"));
  }

  @Test
  void the_exporter_sends_to_the_endpoint() throws IOException {
    assertEquals(
        "http://collector:4318",
        wired(
            Map.of(PROPERTY, "http://collector:4318"),
            "quarkus.otel.exporter.otlp.traces.endpoint"));
  }
}

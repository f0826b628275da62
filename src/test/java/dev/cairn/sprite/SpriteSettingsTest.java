package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sprites, settings: what stops the start. */
class SpriteSettingsTest {
  private static List<String> faults(String... settings) {
    var properties = new HashMap<String, String>();
    for (int i = 0; i < settings.length; i += 2) {
      properties.put("cairn.sprite." + settings[i], settings[i + 1]);
    }
    return ofAll(properties);
  }

  private static List<String> ofAll(Map<String, String> properties) {
    return ofAll(properties, Optional.empty());
  }

  private static List<String> ofAll(Map<String, String> properties, Optional<String> issuer) {
    return new SpriteSettings(Configs.of(Map.copyOf(properties)), issuer).faults();
  }

  private static void assertNames(List<String> faults, String property) {
    assertEquals(1, faults.size(), faults::toString);
    var name = "cairn.sprite." + property;
    var variable = name.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    assertTrue(faults.getFirst().startsWith(name + " (" + variable + ")"), faults::toString);
  }

  @Test
  void without_a_backend_nothing_is_needed() {
    assertEquals(List.of(), faults());
    assertEquals(List.of(), faults("backend", "none"));
  }

  @Test
  void an_unknown_backend_is_named() {
    assertNames(faults("backend", "docker"), "backend");
  }

  @Test
  void the_http_backend_needs_a_url_and_starts_without_a_key() {
    assertNames(faults("backend", "http"), "url");
    assertNames(faults("backend", "http", "url", "ftp://runner.example"), "url");
    assertNames(faults("backend", "http", "url", "/runs"), "url");
    assertEquals(List.of(), faults("backend", "http", "url", "http://runner.example"));
  }

  @Test
  void the_kubernetes_backend_needs_an_image_a_cluster_and_an_account(@TempDir Path account)
      throws Exception {
    var nowhere = account.resolve("missing").toString();
    var api = "http://127.0.0.1:1";
    assertNames(
        faults(
            "backend",
            "kubernetes",
            "kubernetes.image",
            "i",
            "kubernetes.api-url",
            api,
            "kubernetes.service-account",
            nowhere),
        "kubernetes.service-account");
    Files.writeString(account.resolve("token"), "t");
    var directory = account.toString();
    assertNames(
        faults(
            "backend",
            "kubernetes",
            "kubernetes.image",
            "i",
            "kubernetes.api-url",
            api,
            "kubernetes.service-account",
            directory),
        "kubernetes.service-account");
    assertEquals(
        List.of(),
        faults(
            "backend", "kubernetes",
            "kubernetes.image", "i",
            "kubernetes.namespace", "n",
            "kubernetes.api-url", api,
            "kubernetes.service-account", directory));
    Files.writeString(account.resolve("namespace"), "n");
    assertNames(
        faults(
            "backend", "kubernetes",
            "kubernetes.api-url", api,
            "kubernetes.service-account", directory),
        "kubernetes.image");
    assertNames(
        faults(
            "backend", "kubernetes",
            "kubernetes.image", "i",
            "kubernetes.api-url", "nowhere",
            "kubernetes.service-account", directory),
        "kubernetes.api-url");
  }

  @ParameterizedTest
  @CsvSource({
    "timeout, PT0.9S, false",
    "timeout, PT1S, true",
    "timeout, PT6H, true",
    "timeout, PT6H0.001S, false",
    "git-base, github.com, false",
    "git-base, https://git.example.org/team, true"
  })
  void limits_hold_at_their_edges(String property, String value, boolean good) {
    if (good) {
      assertEquals(List.of(), faults(property, value));
    } else {
      assertNames(faults(property, value), property);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory-mib", "cpu-seconds", "file-mib", "open-files", "processes"})
  void a_limit_of_local_commands_is_at_least_one(String limit) {
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
    assertNames(faults("backend", "local", "local." + limit, "0"), "local." + limit);
    assertEquals(List.of(), faults("backend", "local", "local." + limit, "1"));
    assertEquals(List.of(), faults("backend", "none", "local." + limit, "0"));
  }

  @Test
  void the_local_backend_with_open_sign_up_needs_a_list_of_organizations() {
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
    var open = Map.of("cairn.signup.open", "true", "cairn.sprite.backend", "local");
    assertNames(ofAll(open), "organizations");
    var listed = new HashMap<>(open);
    listed.put("cairn.sprite.organizations", "demo");
    assertEquals(List.of(), ofAll(listed));
    var closed = Map.of("cairn.signup.open", "false", "cairn.sprite.backend", "local");
    assertEquals(List.of(), ofAll(closed));
    var elsewhere = new HashMap<>(open);
    elsewhere.put("cairn.sprite.backend", "http");
    elsewhere.put("cairn.sprite.url", "http://runner.example");
    assertEquals(List.of(), ofAll(elsewhere));
  }

  @Test
  void the_local_backend_with_an_external_issuer_needs_one_too() {
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
    var issuer = Optional.of("https://issuer.example");
    var local = Map.of("cairn.signup.open", "false", "cairn.sprite.backend", "local");
    var faults = ofAll(local, issuer);
    assertNames(faults, "organizations");
    assertTrue(faults.getFirst().contains("MP_JWT_VERIFY_ISSUER"), faults::toString);
    var listed = new HashMap<>(local);
    listed.put("cairn.sprite.organizations", "demo");
    assertEquals(List.of(), ofAll(listed, issuer));
    var none = Map.of("cairn.signup.open", "false", "cairn.sprite.backend", "none");
    assertEquals(List.of(), ofAll(none, issuer));
  }
}

package dev.cairn.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.common.utils.StringUtil;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartupChecksTest {
  @Test
  void a_secret_key_is_all_that_an_external_database_needs_besides_itself() {
    assertEquals(
        List.of(), StartupChecks.faults(Configs.with("cairn.secret-key", Configs.SECRET_KEY)));
  }

  @Test
  void a_missing_secret_key_is_named_with_a_way_to_make_one() {
    var fault = onlyFault(Configs.of(Map.of()), "cairn.secret-key");
    assertTrue(fault.contains("openssl rand -base64 32"), fault);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 16, 31, 33, 64})
  void a_secret_key_of_another_length_than_32_bytes_is_named(int length) {
    var key = Base64.getEncoder().encodeToString(new byte[length]);
    onlyFault(Configs.with("cairn.secret-key", key.isEmpty() ? "=" : key), "cairn.secret-key");
  }

  @ParameterizedTest
  @CsvSource({
    "cairn.secret-key, not base64!",
    "cairn.secret-key-previous, not base64!",
    "cairn.secret-key-previous, QUJD",
    "cairn.public-url, ftp://cairn.example.org",
    "cairn.public-url, cairn.example.org",
    "cairn.public-url, https:///path-without-host",
    "cairn.public-url, https://cairn.example.org?a=b",
    "cairn.public-url, https://cairn.example.org#here",
    "cairn.admin.email, nobody",
    "cairn.admin.email, two@signs@example.org",
    "cairn.database.pool-size, 3",
    "cairn.database.pool-size, -1",
    "cairn.limits.unread-answer-seconds, 0",
    "cairn.search.vector-index-from, -1",
    "cairn.stop.delay, PT-1S",
    "cairn.stop.timeout, PT0.9S",
    "cairn.limits.live-queries, 0",
    "cairn.audit.retention, PT23H",
    "cairn.limits.body-seconds, 0",
    "cairn.limits.commit-wait-seconds, 0",
    "cairn.limits.export-stream-seconds, 0",
    "cairn.limits.downloads, 0",
    "cairn.limits.stream-idle-seconds, 0",
    "cairn.signing-key-lifetime, PT23H"
  })
  void a_setting_that_cannot_work_is_named_by_property_and_variable(String property, String value) {
    var email = property.equals("cairn.admin.email");
    onlyFault(email ? admin(value, "long enough", false) : Configs.with(property, value), property);
  }

  /** The numbers of the limits and quotas, so that a new one is not forgotten in the checks. */
  private static Stream<String> numbers() {
    return Stream.of(LimitsConfig.class, QuotasConfig.class)
        .flatMap(part -> Stream.of(part.getDeclaredMethods()))
        .filter(setting -> setting.getReturnType().isPrimitive())
        .filter(setting -> setting.getReturnType() != boolean.class)
        .map(
            setting ->
                "cairn.%s.%s"
                    .formatted(
                        setting.getDeclaringClass() == LimitsConfig.class ? "limits" : "quotas",
                        StringUtil.skewer(setting.getName())));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void a_limit_or_quota_below_zero_is_named_by_property_and_variable(String property) {
    onlyFault(Configs.with(property, "-1"), property);
  }

  @ParameterizedTest
  @CsvSource({
    "cairn.public-url, https://cairn.example.org",
    "cairn.public-url, http://localhost:8080/",
    "cairn.database.pool-size, 4",
    "cairn.audit.retention, P1D",
    "cairn.limits.body-seconds, 1",
    "cairn.limits.connections, 0",
    "cairn.limits.sign-ins-per-minute, 0"
  })
  void a_setting_at_the_edge_of_what_works_is_taken(String property, String value) {
    assertEquals(List.of(), StartupChecks.faults(Configs.with(property, value)));
  }

  @Test
  void an_admin_address_needs_a_password_where_the_database_is_not_embedded() {
    onlyFault(Configs.with("cairn.admin.email", "a@example.org"), "cairn.admin.password");
    assertEquals(List.of(), StartupChecks.faults(admin("a@example.org", null, true)));
  }

  @Test
  void an_admin_password_needs_an_address() {
    onlyFault(Configs.with("cairn.admin.password", "long enough"), "cairn.admin.email");
  }

  @ParameterizedTest
  @CsvSource({"7, false", "8, true", "128, true", "129, false"})
  void an_admin_password_has_8_to_128_characters(int length, boolean good) {
    var config = admin("a@example.org", "x".repeat(length), false);
    if (good) {
      assertEquals(List.of(), StartupChecks.faults(config));
    } else {
      onlyFault(config, "cairn.admin.password");
    }
  }

  @Test
  void all_faults_are_told_at_once_and_stop_the_start() {
    var config =
        Configs.of(Map.of("cairn.admin.password", "short", "cairn.database.pool-size", "0"));
    var stop =
        assertThrows(
            IllegalStateException.class,
            () -> new StartupChecks(config, List.of()).check(new StartupEvent()));
    for (var name :
        List.of("cairn.secret-key", "cairn.admin.password", "cairn.database.pool-size")) {
      assertTrue(stop.getMessage().contains(name), stop::getMessage);
    }
  }

  @Test
  void a_fault_that_another_capability_finds_stops_the_start_too() {
    var config = Configs.with("cairn.secret-key", Configs.SECRET_KEY);
    var checks = new StartupChecks(config, List.of(() -> List.of("cairn.other (CAIRN_OTHER): no")));
    var stop = assertThrows(IllegalStateException.class, () -> checks.check(new StartupEvent()));
    assertTrue(stop.getMessage().contains("cairn.other (CAIRN_OTHER)"), stop::getMessage);
  }

  private static CairnConfig admin(String email, String password, boolean embedded) {
    var properties = new HashMap<String, String>();
    properties.put("cairn.secret-key", Configs.SECRET_KEY);
    properties.put("cairn.admin.email", email);
    properties.put("cairn.database.embedded", Boolean.toString(embedded));
    if (password != null) {
      properties.put("cairn.admin.password", password);
    }
    return Configs.of(properties);
  }

  /** The one fault, which names what to mend in both of its spellings. */
  private static String onlyFault(CairnConfig config, String property) {
    var faults = StartupChecks.faults(config);
    assertEquals(1, faults.size(), faults::toString);
    var fault = faults.getFirst();
    var variable = property.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    assertTrue(fault.startsWith(property + " (" + variable + ")"), fault);
    return fault;
  }
}

package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.cairn.platform.Configs;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a request comes from, and which settings of proxies cannot be meant. */
class ClientAddressTest {
  private static final String TRUSTED = "10.0.0.0/8,fd00::/8,192.0.2.7";

  private static TrustedProxies proxies(boolean isForwarding, String... trusted) {
    return new TrustedProxies(
        isForwarding,
        false,
        true,
        trusted.length == 0 ? Optional.empty() : Optional.of(Arrays.asList(trusted)));
  }

  private static ClientAddress behind(String trusted) {
    return new ClientAddress(proxies(true, trusted.split(",", -1)));
  }

  private static MultiMap forwardedFor(String... values) {
    var headers = MultiMap.caseInsensitiveMultiMap();
    for (var value : values) {
      headers.add("x-forwarded-for", value);
    }
    return headers;
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 198.51.100.1, 198.51.100.1",
    "10.1.2.3, '6.6.6.6, 198.51.100.1', 198.51.100.1",
    "10.1.2.3, '6.6.6.6,198.51.100.1 , 10.9.9.9,192.0.2.7', 198.51.100.1",
    "10.1.2.3, 10.5.5.5, 10.5.5.5",
    "10.1.2.3, '', 10.1.2.3",
    "10.1.2.3, unknown, 10.1.2.3",
    "10.1.2.3, '198.51.100.1, _hidden', 10.1.2.3",
    "10.1.2.3, 198.51.100.1:4711, 198.51.100.1",
    "10.1.2.3, '[2001:db8::1]:4711', 2001:db8:0:0:0:0:0:1",
    "10.1.2.3, 2001:db8::1, 2001:db8:0:0:0:0:0:1",
    "fd00:0:0:0:0:0:0:5, 2001:db8::1, 2001:db8:0:0:0:0:0:1",
    "192.0.2.7, 198.51.100.1, 198.51.100.1",
    "192.0.2.8, 198.51.100.1, 192.0.2.8",
    "11.0.0.1, 198.51.100.1, 11.0.0.1"
  })
  void the_header_is_believed_as_far_as_trusted_proxies_wrote_it(
      String peer, String header, String client) {
    assertEquals(client, behind(TRUSTED).of(peer, forwardedFor(header)));
  }

  @Test
  void several_headers_are_one_and_without_forwarding_none_counts() {
    assertEquals("2.2.2.2", behind(TRUSTED).of("10.0.0.1", forwardedFor("1.1.1.1", "2.2.2.2")));
    var off = new ClientAddress(proxies(false));
    assertEquals("10.0.0.1", off.of("10.0.0.1", forwardedFor("1.1.1.1")));
  }

  private static Handler collecting(List<String> lines) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        lines.add(line.getMessage() + Arrays.toString(line.getParameters()));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void a_header_that_is_ignored_is_logged_once_in_ten_minutes_and_never_with_its_value() {
    var addresses = behind(TRUSTED);
    var lines = new ArrayList<String>();
    var handler = collecting(lines);
    var log = Logger.getLogger(ClientAddress.class.getName());
    log.addHandler(handler);
    try {
      addresses.warn("10.0.0.1", forwardedFor("1.1.1.1"), Instant.EPOCH);
      addresses.warn("198.51.100.1", MultiMap.caseInsensitiveMultiMap(), Instant.EPOCH);
      assertEquals(List.of(), lines);
      for (int i = 0; i < 1_000; i++) {
        addresses.warn(
            "198.51.100." + i % 250, forwardedFor("1.1.1.1"), Instant.EPOCH.plusNanos(i));
      }
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.getFirst().contains("198.51.100.0"), lines.getFirst());
      assertTrue(!lines.getFirst().contains("1.1.1.1"), lines.getFirst());
      var forwarded = MultiMap.caseInsensitiveMultiMap().add("Forwarded", "for=1.1.1.1");
      addresses.warn("198.51.100.1", forwarded, Instant.EPOCH.plus(Duration.ofMinutes(10)));
      assertEquals(2, lines.size(), lines::toString);
    } finally {
      log.removeHandler(handler);
    }
  }

  @Test
  void settings_that_work_have_no_fault() {
    assertEquals(List.of(), proxies(false).faults());
    assertEquals(List.of(), proxies(true, " 10.0.0.0/8", "fd00::/8 ", "192.0.2.7").faults());
  }

  @Test
  void the_manifests_trust_the_ingress_controller() throws IOException {
    var settings =
        new YAMLMapper().readTree(Path.of("deploy/k8s/base/configmap.yaml").toFile()).path("data");
    assertEquals("true", settings.path("QUARKUS_HTTP_PROXY_PROXY_ADDRESS_FORWARDING").textValue());
    var trusted = settings.path("QUARKUS_HTTP_PROXY_TRUSTED_PROXIES").textValue();
    assertEquals(List.of(), proxies(true, trusted.split(",", -1)).faults());
  }

  @ParameterizedTest
  @CsvSource({
    "true, '', must name the proxies",
    "false, 10.0.0.1, has no effect",
    "true, 0.0.0.0/0, trusts everybody",
    "true, ::/0, trusts everybody",
    "true, proxy.example, neither",
    "true, 10.0.0.1:8080, neither",
    "true, 10.0.0.0/33, neither"
  })
  void settings_that_cannot_be_meant_stop_the_start(
      boolean isForwarding, String trusted, String told) {
    var proxies = trusted.isEmpty() ? proxies(isForwarding) : proxies(isForwarding, trusted);
    var faults = proxies.faults();
    assertEquals(1, faults.size(), faults::toString);
    assertTrue(faults.getFirst().contains(told), faults.getFirst());
    assertTrue(
        faults.getFirst().contains("(QUARKUS_HTTP_PROXY_TRUSTED_PROXIES)"), faults.getFirst());
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, local, true",
    "127.0.0.2, local, true",
    "127.0.0.0/8, local, true",
    "::1, local, true",
    "10.0.0.0/8, local, false",
    "127.0.0.1, http, false"
  })
  void a_loopback_address_that_is_trusted_beside_local_commands_is_warned_of(
      String trusted, String backend, boolean isWarned) {
    var log = Logger.getLogger(TrustedProxies.class.getName());
    var lines = new ArrayList<String>();
    var handler = collecting(lines);
    log.addHandler(handler);
    try {
      proxies(true, trusted)
          .warn(new StartupEvent(), Configs.with("cairn.sprite.backend", backend));
    } finally {
      log.removeHandler(handler);
    }
    assertEquals(isWarned ? 1 : 0, lines.size(), lines::toString);
  }

  @Test
  void no_other_header_may_be_chosen() {
    for (var other :
        List.of(
            new TrustedProxies(true, true, true, Optional.of(List.of("10.0.0.1"))),
            new TrustedProxies(true, false, false, Optional.of(List.of("10.0.0.1"))))) {
      assertTrue(other.faults().getFirst().contains("allow-forwarded"), other.faults()::toString);
    }
  }
}

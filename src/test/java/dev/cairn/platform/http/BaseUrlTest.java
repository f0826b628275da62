package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.Configs;
import io.quarkus.runtime.StartupEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A service without a public URL: where runs reach it, and the warning at its start. */
class BaseUrlTest {
  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 127.0.0.1",
    "::, [::1]",
    "127.0.0.1, 127.0.0.1",
    "127.0.0.2, 127.0.0.2",
    "::1, [::1]",
    "10.0.0.7, 10.0.0.7",
    "localhost, 127.0.0.1"
  })
  void runs_reach_the_service_at_an_address_that_it_listens_on(String listensOn, String host) {
    assertEquals(host, BaseUrl.listeningHost(listensOn));
  }

  @Test
  void a_loopback_name_may_have_any_number_of_labels() {
    var base = new BaseUrl(Configs.of(Map.of()), "127.0.0.1");
    assertTrue(base.isOwn("http://" + "a.".repeat(20_000) + "localhost:8080"));
    assertFalse(base.isOwn("http://" + "a.".repeat(20_000) + "example.org"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://localhost:0", "http://localhost:", "http://localhost:080"})
  void a_port_that_is_none_belongs_to_no_loopback_url(String url) {
    assertFalse(new BaseUrl(Configs.of(Map.of()), "127.0.0.1").isOwn(url));
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, '', false, true",
    "::, '', false, true",
    "10.0.0.7, '', false, true",
    "0.0.0.0, '', true, false",
    "0.0.0.0, https://cairn.example.org, false, false",
    "127.0.0.1, '', false, false",
    "::1, '', false, false",
    "localhost, '', false, false"
  })
  void a_service_for_other_machines_without_a_public_url_is_warned_of(
      String listensOn, String publicUrl, boolean isEmbedded, boolean isWarned) {
    var settings = new HashMap<>(Map.of("cairn.database.embedded", String.valueOf(isEmbedded)));
    if (!publicUrl.isEmpty()) {
      settings.put("cairn.public-url", publicUrl);
    }
    var lines = new ArrayList<String>();
    var handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    var log = Logger.getLogger(BaseUrl.class.getName());
    log.addHandler(handler);
    try {
      new BaseUrl(Configs.of(settings), listensOn).warn(new StartupEvent());
    } finally {
      log.removeHandler(handler);
    }
    assertEquals(isWarned ? 1 : 0, lines.size(), lines::toString);
    assertTrue(lines.stream().allMatch(line -> line.contains("CAIRN_PUBLIC_URL")));
  }
}

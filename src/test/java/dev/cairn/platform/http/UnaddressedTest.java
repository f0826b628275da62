package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that do not say as HTTP/1 does whom they are for, which anybody can send at any rate.
 */
@HttpTest
@QuarkusTest
@InProcess("It listens to the log.")
class UnaddressedTest {
  private static final class Errors extends Handler {
    final List<String> messages = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void publish(LogRecord line) {
      if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
        messages.add(line.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /api/whoami HTTP/2.0\r\n\r\n",
        "GET /api/whoami HTTP/1.1\r\n\r\n",
        "GET /q/health/live HTTP/1.1\r\nHost: a b\r\n\r\n",
        "POST /oauth/token HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
      })
  void they_are_refused_by_a_problem_and_are_no_error_of_the_service(String request) {
    var errors = new Errors();
    var log = Logger.getLogger("");
    log.addHandler(errors);
    try {
      var answer = RawHttp.any(request);
      assertEquals(400, answer.status(), answer.toString());
      assertEquals("application/problem+json", answer.header("content-type"));
      assertTrue(answer.body().contains("VALIDATION_ERROR"), answer.body());
    } finally {
      log.removeHandler(errors);
    }
    assertEquals(List.of(), errors.messages);
  }

  @Test
  void clients_of_http_1_0_need_say_nothing() {
    assertEquals(200, RawHttp.oldest("GET /api/whoami").status());
  }
}

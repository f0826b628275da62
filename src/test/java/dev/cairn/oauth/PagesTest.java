package dev.cairn.oauth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import jakarta.ws.rs.core.Response;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/errors.md: when to send a request again. */
class PagesTest {
  @ParameterizedTest
  @CsvSource({"UNAVAILABLE, 2", "RATE_LIMITED, 2", "VALIDATION_ERROR,"})
  void a_busy_service_says_when_to_send_the_request_again(ErrorCode code, String seconds) {
    var answer = Pages.retryAfter(Response.ok().build(), Problem.of(code, "Not now."));
    assertEquals(seconds, answer.getHeaderString("Retry-After"));
  }
}

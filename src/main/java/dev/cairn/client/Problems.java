package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.time.Duration;

/** Reads the answer to a request that was refused. */
final class Problems {
  private static final String TYPE = "urn:cairn:error:";

  private Problems() {}

  /** The exception for an answer that is no success. */
  static CairnException read(String request, int status, HttpHeaders headers, byte[] body) {
    return new CairnException(request, problem(status, body), retryAfter(headers));
  }

  private static Problem problem(int status, byte[] body) {
    try {
      var json = Json.mapper().readTree(body);
      if (json != null && json.path("code").isTextual()) {
        return Json.mapper().treeToValue(json, Problem.class);
      }
      if (json != null && json.path("error").isTextual()) {
        return ofOAuth(status, json);
      }
    } catch (IOException e) {
      // Then it is none of the service's own answers.
    }
    return unexpected(status);
  }

  /** The exception for a success whose body is not what the API describes. */
  static CairnException unexpected(String request, int status) {
    return new CairnException(request, unexpected(status), null);
  }

  private static Problem unexpected(int status) {
    return problem(
        status,
        ErrorCode.UNEXPECTED_ANSWER,
        "The answer, with the status " + status + ", is not one of Cairn's API.");
  }

  /** The endpoints of OAuth have errors of their own (RFC 6749, section 5.2). */
  private static Problem ofOAuth(int status, JsonNode json) {
    var code = json.path("error").textValue();
    return problem(status, code, json.path("error_description").asText(code));
  }

  private static Problem problem(int status, String code, String detail) {
    return new Problem(TYPE + code, code, status, detail, code, null, null, null, null);
  }

  private static @Nullable Duration retryAfter(HttpHeaders headers) {
    return headers
        .firstValue("Retry-After")
        .filter(seconds -> seconds.matches("[0-9]{1,9}"))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
        .orElse(null);
  }
}

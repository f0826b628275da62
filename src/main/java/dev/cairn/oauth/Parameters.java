package dev.cairn.oauth;

import com.nimbusds.common.contenttype.ContentType;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a form or of a query. As RFC 6749 requires, a parameter without a value counts
 * as omitted, and unknown parameters are ignored.
 */
record Parameters(Map<String, List<String>> values) {
  /** The maximum size of the body of a request, in bytes. */
  static final int MAX_BODY = 64 * 1024;

  /** The maximum number of parameters: the library's time is quadratic in repetitions. */
  private static final int MAX_COUNT = 100;

  private static final char NUL = 0;

  /**
   * Of the query of a request, as it was sent: it may contain characters that are invalid in a URI,
   * which some browsers send.
   */
  static Parameters ofQuery(HttpServerRequest request) {
    return of(request.query());
  }

  /** Of the body of a request. */
  static Parameters ofBody(InputStream body) {
    return of(body(body));
  }

  /** The text of a body of at most 64 KiB. */
  static String body(InputStream body) {
    try (body) {
      var bytes = body.readNBytes(MAX_BODY + 1);
      if (bytes.length > MAX_BODY) {
        throw Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE, "A body may have at most " + MAX_BODY + " bytes here.");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw OAuthError.invalidRequest("The body could not be read to its end.");
    }
  }

  /** Of a query, or of a body's text; null for none. */
  static Parameters of(String text) {
    if (text != null && text.chars().filter(c -> c == '&').count() >= MAX_COUNT) {
      throw OAuthError.invalidRequest("A request may have at most " + MAX_COUNT + " parameters.");
    }
    var values = new LinkedHashMap<String, List<String>>();
    URLUtils.parseParameters(text)
        .forEach(
            (name, all) -> {
              var given = all.stream().filter(value -> !value.isBlank()).toList();
              if (given.stream().anyMatch(value -> value.indexOf(NUL) >= 0)) {
                throw OAuthError.invalidRequest("A parameter must not contain U+0000.");
              }
              if (!given.isEmpty()) {
                values.put(name, given);
              }
            });
    return new Parameters(values);
  }

  /** The value of a parameter that may be given once. */
  Optional<String> text(String name) {
    var all = values.getOrDefault(name, List.of());
    if (all.size() > 1) {
      throw OAuthError.invalidRequest("The parameter " + name + " may be given only once.");
    }
    return all.stream().findFirst();
  }

  /** Only the parameters with these names. */
  Parameters only(Set<String> names) {
    var kept = new LinkedHashMap<>(values);
    kept.keySet().retainAll(names);
    return new Parameters(kept);
  }

  /** As a query. */
  String query() {
    return URLUtils.serializeParameters(values);
  }

  /** As a request for the library. */
  HTTPRequest post(String url) {
    var request = new HTTPRequest(HTTPRequest.Method.POST, URI.create(url));
    request.setEntityContentType(ContentType.APPLICATION_URLENCODED);
    request.setBody(query());
    return request;
  }
}

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
 * The parameters of a form or of a query. One without a value counts as left out, and unknown ones
 * do no harm: both is how RFC 6749 wants it.
 */
record Parameters(Map<String, List<String>> values) {
  /** The maximum size of the body of a request, in bytes. */
  static final int MAX_BODY = 64 * 1024;

  /** The library's time grows with the square of how often one is repeated. */
  private static final int MAX_COUNT = 100;

  private static final char NUL = 0;

  /**
   * Of a request's query, as it was sent: it may hold what no URI may, which browsers pass on all
   * the same.
   */
  static Parameters ofQuery(HttpServerRequest request) {
    return of(request.query());
  }

  /** Of a body. */
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
      throw OAuthError.invalidRequest("There are at most " + MAX_COUNT + " parameters.");
    }
    var values = new LinkedHashMap<String, List<String>>();
    URLUtils.parseParameters(text)
        .forEach(
            (name, all) -> {
              var given = all.stream().filter(value -> !value.isBlank()).toList();
              if (given.stream().anyMatch(value -> value.indexOf(NUL) >= 0)) {
                throw OAuthError.invalidRequest("A parameter holds the character U+0000.");
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

  /** These parameters alone. */
  Parameters only(Set<String> names) {
    var kept = new LinkedHashMap<>(values);
    kept.keySet().retainAll(names);
    return new Parameters(kept);
  }

  /** As a query. */
  String query() {
    return URLUtils.serializeParameters(values);
  }

  /** As the request that the library reads. */
  HTTPRequest post(String url) {
    var request = new HTTPRequest(HTTPRequest.Method.POST, URI.create(url));
    request.setEntityContentType(ContentType.APPLICATION_URLENCODED);
    request.setBody(query());
    return request;
  }
}

package dev.cairn.platform;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.model.Problem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.Map;

/** An RFC 9457 problem document, as {@code docs/errors.md} describes it. */
@RegisterForReflection(targets = {ProblemDocument.class, Problem.Violation.class})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"type", "title", "status", "detail", "code"})
public record ProblemDocument(
    String type,
    String title,
    int status,
    String detail,
    String code,
    List<Problem.Violation> errors,
    Map<String, Object> details,
    String hint,
    String traceId) {

  /** The media type of every error's body. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** What every error says in {@code Cache-Control}: the next request may be answered otherwise. */
  static final String CACHING = "no-store";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /**
   * The document of {@code problem}.
   *
   * @param traceId what the log has too, for faults of the service; else null
   */
  public static ProblemDocument of(Problem problem, String traceId) {
    var code = problem.code();
    return new ProblemDocument(
        "urn:cairn:error:" + code.name(),
        code.title(),
        code.status(),
        problem.detail(),
        code.name(),
        problem.errors(),
        problem.details(),
        problem.hint(),
        traceId);
  }

  /** Answers with a problem's document, for doors below the REST layer. */
  public static Future<Void> end(HttpServerResponse response, Problem problem) {
    return response
        .setStatusCode(problem.code().status())
        .putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, CACHING)
        .end(of(problem, null).toJson());
  }

  /** The document's JSON text. */
  String toJson() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a problem document is always writable", e);
    }
  }
}

package dev.cairn.platform.http;

import static dev.cairn.model.ErrorCode.RANGE_NOT_SATISFIABLE;
import static dev.cairn.model.ErrorCode.UNAUTHENTICATED;
import static dev.cairn.model.ErrorCode.UNAVAILABLE;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.model.Problem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.HashMap;
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

  /** The {@code Cache-Control} of every error: the next request may get another answer. */
  private static final String CACHING = "no-store";

  /** The {@code Retry-After} of a busy service that cannot compute one. */
  public static final String RETRY_AFTER_SECONDS = "2";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /**
   * The document of {@code problem}.
   *
   * @param traceId the id that is also in the log, for faults of the service; otherwise null
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

  /** The headers that go with the answer to a problem, besides the media type. */
  public static Map<String, String> headers(Problem problem) {
    var headers = new HashMap<>(Map.of(HttpHeaders.CACHE_CONTROL, CACHING));
    if (problem.code() == UNAVAILABLE) {
      headers.put(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    if (problem.code() == UNAUTHENTICATED) {
      headers.put(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    if (problem.code() == RANGE_NOT_SATISFIABLE) {
      headers.put("Content-Range", "bytes */" + problem.details().get("size"));
    }
    if (problem.details().get("retryAfter") instanceof Number seconds) {
      headers.put(HttpHeaders.RETRY_AFTER, seconds.toString());
    }
    return headers;
  }

  /** Puts the document of a problem in place of an answer, whose headers go. */
  public static void replace(ContainerResponseContext answer, Problem problem) {
    replace(answer, new Failure(problem, null));
  }

  /** The same for a failure. */
  public static void replace(ContainerResponseContext answer, Failure failure) {
    var headers = answer.getHeaders();
    headers.clear();
    headers(failure.problem()).forEach(headers::putSingle);
    answer.setStatus(failure.problem().code().status());
    answer.setEntity(
        failure.document().toJson(), answer.getEntityAnnotations(), MediaType.valueOf(MEDIA_TYPE));
  }

  /**
   * Answers with the document of a problem, for code below the REST layer. Headers that the
   * response already has are kept.
   */
  public static Future<Void> end(HttpServerResponse response, Problem problem) {
    return end(response, new Failure(problem, null));
  }

  /** Answers as {@link #end(HttpServerResponse, Problem)} does, with the id that is in the log. */
  public static Future<Void> end(HttpServerResponse response, Failure failure) {
    headers(failure.problem())
        .forEach(
            (name, value) -> {
              if (!response.headers().contains(name)) {
                response.putHeader(name, value);
              }
            });
    return response
        .setStatusCode(failure.problem().code().status())
        .putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE)
        .end(failure.document().toJson());
  }

  /** The JSON text of the document. */
  public String toJson() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a problem document is always writable", e);
    }
  }
}

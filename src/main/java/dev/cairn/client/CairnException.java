package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The service refused a request, or could not answer it: {@code docs/errors.md}. Programs should
 * use {@link #code}, whose values are in {@link ErrorCode}.
 */
public final class CairnException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;
  private final @Nullable Duration retryAfter;

  /**
   * @param request the method and path, for people
   * @param problem what the service said
   * @param retryAfter how long to wait before the next attempt; null if waiting does not help
   */
  CairnException(String request, Problem problem, @Nullable Duration retryAfter) {
    super(request + ": " + problem.detail() + " (" + problem.status() + " " + problem.code() + ")");
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** The whole problem document. */
  public Problem problem() {
    return problem;
  }

  /** The error code, one of {@link ErrorCode} or one that is newer than this client. */
  public String code() {
    return problem.code();
  }

  /** The HTTP status. */
  public int status() {
    return problem.status();
  }

  /** What was wrong this time, a sentence for people. */
  public String detail() {
    return problem.detail();
  }

  /** The broken rules, each with its position in the request; empty if there are none. */
  public List<Violation> errors() {
    return problem.errors() == null ? List.of() : problem.errors();
  }

  /** What to do about it; empty if the service has no advice. */
  public Optional<String> hint() {
    return Optional.ofNullable(problem.hint());
  }

  /** Details for programs, such as {@code reason}; a missing node if there are none. */
  public JsonNode details() {
    return problem.details() == null ? MissingNode.getInstance() : problem.details();
  }

  /** The reason of a {@code CONFLICT}; empty for anything else. */
  public Optional<String> reason() {
    return Optional.ofNullable(details().path("reason").textValue());
  }

  /** How long to wait before the next attempt; empty if waiting does not help. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}

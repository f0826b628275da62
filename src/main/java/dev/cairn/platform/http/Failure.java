package dev.cairn.platform.http;

import static dev.cairn.model.ErrorCode.INTERNAL_ERROR;
import static dev.cairn.model.ErrorCode.UNAVAILABLE;
import static dev.cairn.platform.database.DatabaseException.Kind.TOO_LONG;

import dev.cairn.model.Problem;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.LogIds;
import dev.cairn.platform.database.DatabaseException;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The failure of a request, as the caller gets it; {@code docs/errors.md}.
 *
 * @param traceId the id that is also in the log, for faults of the service; otherwise null
 */
public record Failure(Problem problem, String traceId) {
  private static final Logger LOG = Logger.getLogger(Failure.class);
  private static final TraceBudget TRACES = new TraceBudget();
  private static final String TO_NARROW =
      "Narrow a query: name a shape, or begin the pattern with literal text."
          + " Divide a commit into smaller ones.";

  /**
   * The failure for an exception: a problem, a client that has gone, a failure of the database, or
   * a fault, which is logged.
   */
  public static Failure of(Throwable thrown) {
    if (thrown instanceof Problem problem) {
      return new Failure(problem, null);
    }
    if (thrown instanceof ClientGoneException) {
      return new Failure(Problem.of(UNAVAILABLE, "The connection was closed."), null);
    }
    return DatabaseException.kind(thrown)
        .map(kind -> unavailable(kind, thrown))
        .orElseGet(() -> fault(thrown));
  }

  /** The problem's document. */
  public ProblemDocument document() {
    return ProblemDocument.of(problem, traceId);
  }

  private static Failure fault(Throwable thrown) {
    var traceId = UUID.randomUUID().toString().replace("-", "");
    try (var _ = LogIds.of(Map.of("traceId", traceId))) {
      if (TRACES.take(System.nanoTime())) {
        LOG.errorf(thrown, "fault %s", traceId);
      } else {
        LOG.errorf(
            "fault %s, without its stack trace: %s%s",
            traceId,
            thrown.getClass().getName(),
            Stream.of(thrown.getStackTrace()).findFirst().map(" at %s"::formatted).orElse(""));
      }
    }
    return new Failure(
        Problem.of(INTERNAL_ERROR, "The service failed; its log has this traceId."), traceId);
  }

  private static Failure unavailable(DatabaseException.Kind kind, Throwable thrown) {
    if (kind.isForOperators()) {
      LOG.warnf("%s %s", kind.sentence(), thrown.getMessage());
    }
    var problem = Problem.of(UNAVAILABLE, kind.sentence());
    return new Failure(kind == TOO_LONG ? problem.hint(TO_NARROW) : problem, null);
  }
}

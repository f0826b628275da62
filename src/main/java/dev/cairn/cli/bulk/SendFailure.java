package dev.cairn.cli.bulk;

import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.client.CairnException;
import dev.cairn.client.ErrorCode;
import dev.cairn.client.OperationResult;
import dev.cairn.client.ServerNotReachedException;
import java.time.Duration;

/** A batch was not, or not certainly, applied. */
final class SendFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private static final Duration WAIT = Duration.ofSeconds(2);

  private final transient Duration wait;

  private SendFailure(RuntimeException cause, Duration wait) {
    super(cause.getMessage(), cause);
    this.wait = wait;
  }

  /** The server was not reached, or the connection broke. */
  static SendFailure of(ServerNotReachedException e) {
    return new SendFailure(e, WAIT);
  }

  /** The service refused. */
  static SendFailure of(CairnException e) {
    boolean isBusy = e.status() == 429 || e.status() == 503;
    boolean isHeld = e.reason().filter(SendFailure::passes).isPresent();
    if (isBusy) {
      return new SendFailure(e, e.retryAfter().orElse(WAIT));
    }
    return new SendFailure(e, isHeld ? WAIT : null);
  }

  /** The service ended a submission early. */
  static SendFailure of(OperationResult.Failure ended) {
    var reason = ended.details() == null ? "" : ended.details().path("reason").asText();
    boolean isTemporary =
        ended.code().equals(ErrorCode.UNAVAILABLE)
            || ended.code().equals(ErrorCode.RATE_LIMITED)
            || passes(reason);
    var sentence = "The stream ended early: " + ended.detail();
    return new SendFailure(
        new CommandFailure(exitCode(ended.code()), sentence), isTemporary ? WAIT : null);
  }

  /** Reasons of conflicts that end by themselves. */
  private static boolean passes(String reason) {
    return reason.equals("lease_held")
        || reason.equals("lease_lost")
        || reason.equals("idempotency_key_in_use");
  }

  private static ExitCode exitCode(String code) {
    return switch (code) {
      case ErrorCode.UNAUTHENTICATED -> ExitCode.UNAUTHENTICATED;
      case ErrorCode.FORBIDDEN -> ExitCode.FORBIDDEN;
      case ErrorCode.NOT_FOUND -> ExitCode.NOT_FOUND;
      case ErrorCode.CONFLICT, ErrorCode.ARCHIVED -> ExitCode.CONFLICT;
      case ErrorCode.UNAVAILABLE, ErrorCode.RATE_LIMITED -> ExitCode.UNAVAILABLE;
      case ErrorCode.INTERNAL_ERROR -> ExitCode.FAILED;
      default -> ExitCode.INVALID;
    };
  }

  /** How long to wait before the batch is sent again; null if that is of no use. */
  Duration waitTime() {
    return wait;
  }

  /** Whether the service has refused the request, so that nothing of the batch was applied. */
  boolean isRefusal() {
    return wait == null && getCause() instanceof CairnException;
  }

  /** What the user is told. */
  RuntimeException reason() {
    return (RuntimeException) getCause();
  }
}

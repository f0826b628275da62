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
  private final boolean isUncertain;

  private SendFailure(RuntimeException cause, Duration wait, boolean isUncertain) {
    super(cause.getMessage(), cause);
    this.wait = wait;
    this.isUncertain = isUncertain;
  }

  /** The server was not reached, or the connection broke. */
  static SendFailure of(ServerNotReachedException e) {
    return new SendFailure(e, WAIT, false);
  }

  /** The service refused. */
  static SendFailure of(CairnException e) {
    boolean isBusy = e.status() == 429 || e.status() == 503;
    boolean isHeld = e.reason().filter(SendFailure::passes).isPresent();
    if (isBusy) {
      return new SendFailure(e, e.retryAfter().orElse(WAIT), false);
    }
    return new SendFailure(e, isHeld ? WAIT : null, e.status() >= 500);
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
        new CommandFailure(exitCode(ended.code()), sentence), isTemporary ? WAIT : null, true);
  }

  /** The same after the first part of the batch was applied. */
  SendFailure afterPart() {
    return new SendFailure(reason(), wait, true);
  }

  /** Reasons of conflicts that end by themselves. */
  private static boolean passes(String reason) {
    return reason.equals("lease_held")
        || reason.equals("lease_lost")
        || reason.equals("idempotency_key_in_use");
  }

  /** How the command ends if the service has ended a submission early. */
  static ExitCode exitCode(String code) {
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

  /** Whether the service has refused the batch, so that nothing of it was applied by this. */
  boolean isRefusal() {
    return wait == null && !isUncertain;
  }

  /** What the user is told. */
  RuntimeException reason() {
    return (RuntimeException) getCause();
  }
}

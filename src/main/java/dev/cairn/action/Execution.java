package dev.cairn.action;

import dev.cairn.work.Step;
import io.quarkus.arc.All;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Carries out attempts at runs by their {@link Executor}, with metrics and spans. */
@Singleton
class Execution {
  private static final Logger LOG = Logger.getLogger(Execution.class);

  private final Map<String, Executor> executors;
  private final Inputs inputs;
  private final ActionMetrics metrics;
  private final AttemptSpans spans;
  private final CallbackTokens tokens;

  Execution(
      @All List<Executor> executors,
      Inputs inputs,
      ActionMetrics metrics,
      AttemptSpans spans,
      CallbackTokens tokens) {
    this.executors =
        executors.stream().collect(Collectors.toMap(Executor::kind, Function.identity()));
    this.inputs = inputs;
    this.metrics = metrics;
    this.spans = spans;
    this.tokens = tokens;
  }

  /**
   * Begins an attempt.
   *
   * @throws InterruptedException if the attempt is cancelled
   */
  Step<Outcome> begin(RunAttempt attempt) throws InterruptedException {
    var run = attempt.run();
    metrics.began(run);
    attempt.begin(spans.begin(run));
    if (run.baseUrl() == null && !run.isNotice()) {
      return new Step.Ended<>(
          Outcome.Failed.terminal(Codes.SUBSCRIPTION_DELETED, "The subscription was deleted."));
    }
    var body = inputs.of(run);
    if (body.isEmpty()) {
      return new Step.Ended<>(inputDeleted());
    }
    var callbackToken = run.isNotice() ? null : tokens.of(run.running().runId(), run.callback());
    var traceparent = AttemptSpans.traceparent(attempt.span());
    return executors
        .get(run.target().executor())
        .execute(run.attempt(body.get(), callbackToken, traceparent));
  }

  private static Outcome inputDeleted() {
    return Outcome.Failed.terminal(
        Codes.WEBHOOK_INPUT_NOT_FOUND, "The committed data no longer exists.");
  }

  /** The outcome of an attempt that an exception has ended. */
  Outcome failed(RunAttempt attempt, RuntimeException cause) {
    if (cause instanceof InputDeletedException) {
      return inputDeleted();
    }
    LOG.errorf(cause, "%s could not be carried out", attempt);
    return Outcome.Failed.retryable(Codes.INTERNAL_ERROR, "The service failed; its log says why.");
  }

  /** Shows the outcome of an attempt in metrics and in its span. */
  void end(RunAttempt attempt, Outcome outcome) {
    metrics.answered(attempt.target().executor(), outcome, attempt.elapsed());
    AttemptSpans.recordOutcome(attempt.span(), outcome);
    attempt.span().end();
  }
}

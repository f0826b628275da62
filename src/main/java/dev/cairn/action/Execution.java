package dev.cairn.action;

import dev.cairn.subscription.AutomaticPauses;
import dev.cairn.subscription.AutomaticPauses.SubscriptionId;
import io.quarkus.arc.All;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Carries out one attempt, step by step, and writes its end. */
@Singleton
class Execution {
  private static final Logger LOG = Logger.getLogger(Execution.class);

  private final Map<String, Executor> executors;
  private final Inputs inputs;
  private final Settler settler;
  private final Settlements settlements;
  private final AutomaticPauses pauses;
  private final CircuitBreaker circuits;
  private final ActionMetrics metrics;
  private final AttemptSpans spans;
  private final CallbackTokens tokens;

  Execution(
      @All List<Executor> executors,
      Inputs inputs,
      Settler settler,
      Settlements settlements,
      AutomaticPauses pauses,
      CircuitBreaker circuits,
      ActionMetrics metrics,
      AttemptSpans spans,
      CallbackTokens tokens) {
    this.executors =
        executors.stream().collect(Collectors.toMap(Executor::kind, Function.identity()));
    this.inputs = inputs;
    this.settler = settler;
    this.settlements = settlements;
    this.pauses = pauses;
    this.circuits = circuits;
    this.metrics = metrics;
    this.spans = spans;
    this.tokens = tokens;
  }

  /** One step of an executor. */
  private interface Call {
    Step make() throws InterruptedException;
  }

  /** Begins an attempt. */
  Step begin(InFlight attempt) throws InterruptedException {
    metrics.began(attempt.run);
    attempt.span = spans.begin(attempt.run);
    var traceparent = AttemptSpans.traceparent(attempt.span);
    return step(attempt, () -> execute(attempt.run, traceparent));
  }

  /** Looks how an attempt stands whose action goes on elsewhere. */
  Step look(InFlight attempt, Ongoing ongoing) throws InterruptedException {
    return step(attempt, ongoing::look);
  }

  private Step step(InFlight attempt, Call call) throws InterruptedException {
    var step = made(attempt.run, call);
    if (step instanceof Outcome outcome) {
      metrics.answered(attempt.run.target().kind(), outcome, attempt.lasts());
      AttemptSpans.tell(attempt.span, outcome);
      attempt.span.end();
    }
    return step;
  }

  private Step execute(Claimed run, String traceparent) throws InterruptedException {
    if (run.baseUrl() == null && !run.isNotice()) {
      return Outcome.Failed.terminal(Codes.SUBSCRIPTION_DELETED, "The subscription was deleted.");
    }
    var body = inputs.of(run);
    if (body.isEmpty()) {
      return inputGone();
    }
    try {
      var callbackToken =
          run.isNotice() ? null : tokens.of(run.running().runId(), run.broughtBack());
      return executors
          .get(run.target().kind())
          .execute(run.attempt(body.get(), callbackToken, traceparent));
    } catch (InputGoneException e) {
      return inputGone();
    }
  }

  private static Outcome inputGone() {
    return Outcome.Failed.terminal(
        Codes.WEBHOOK_INPUT_NOT_FOUND, "The committed data no longer exists.");
  }

  private static Step made(Claimed run, Call call) throws InterruptedException {
    try {
      return call.make();
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException(e.getMessage());
      }
      LOG.errorf(e, "%s could not be carried out", run);
      return Outcome.Failed.retryable(
          Codes.INTERNAL_ERROR, "The service failed; its log says why.");
    }
  }

  /** What an outcome makes of the run. */
  Settlement settle(Claimed run, Outcome outcome) {
    return settler.settle(run.running(), outcome);
  }

  /**
   * Writes the end of an attempt; once more does no harm.
   *
   * @throws RuntimeException where the database does not take it
   */
  void end(InFlight attempt, Outcome outcome, Settlement settlement) {
    var run = attempt.run;
    if (!attempt.isHeard) {
      circuits.heard(run, outcome); // first: while this run is running, no other one probes
      attempt.isHeard = true;
    }
    if (outcome instanceof Outcome.Failed failed && failed.pauses()) {
      var subscription = new SubscriptionId(run.running().repoId(), run.subscriptionId());
      pauses.pauseForGoneReceiver(subscription, run.subscriptionVersion());
    }
    if (!settlements.write(settlement)) {
      LOG.infof("%s has ended otherwise meanwhile", run);
    } else if (settlement.failure() != null) {
      var code = settlement.failure().code();
      LOG.infof("%s failed by %s: %s", run, code, settlement.status().wire());
    }
  }
}

package dev.cairn.action;

import dev.cairn.subscription.AutomaticPauses;
import dev.cairn.subscription.AutomaticPauses.SubscriptionId;
import dev.cairn.work.Recording;
import org.jboss.logging.Logger;

/**
 * Records the result of one attempt at a run: in the circuit breaker, in the subscription if its
 * receiver answered that it is gone, and in the run.
 */
final class RunRecording implements Recording {
  private static final Logger LOG = Logger.getLogger(RunRecording.class);

  private final ClaimedRun run;
  private final Outcome outcome;
  private final AttemptResult result;
  private final CircuitBreaker circuits;
  private final AutomaticPauses pauses;
  private final AttemptResults results;

  /** A failure that is recorded at the second try must count once. */
  private boolean isReported;

  RunRecording(
      ClaimedRun run,
      Outcome outcome,
      AttemptResult result,
      CircuitBreaker circuits,
      AutomaticPauses pauses,
      AttemptResults results) {
    this.run = run;
    this.outcome = outcome;
    this.result = result;
    this.circuits = circuits;
    this.pauses = pauses;
    this.results = results;
  }

  @Override
  public void write() {
    if (!isReported) {
      circuits.report(run, outcome); // first: while this run is running, no other one probes
      isReported = true;
    }
    if (outcome instanceof Outcome.Failed failed && failed.mustPause()) {
      var subscription = new SubscriptionId(run.running().repoId(), run.subscriptionId());
      pauses.pauseForGoneReceiver(subscription, run.subscriptionVersion());
    }
    if (!results.write(result)) {
      LOG.infof("%s was ended by another worker or a callback in the meantime", run);
    } else if (result.failure() != null) {
      LOG.infof("%s failed by %s: %s", run, result.failure().code(), result.status().wire());
    }
  }
}

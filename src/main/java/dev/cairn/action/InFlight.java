package dev.cairn.action;

import io.opentelemetry.api.trace.Span;
import java.time.Duration;
import java.util.Optional;

/**
 * An attempt that this replica carries out: a thread is at it, or it rests until the next look at
 * an action that goes on elsewhere.
 */
final class InFlight {
  final Claimed run;

  /** Its place among the attempts of this replica, which is given back at its end. */
  final Slots.Place place;

  /** The one that is at it, or was last. */
  volatile Thread thread;

  /** What traces tell of it; it ends with the outcome, or where there is none. */
  volatile Span span = Span.getInvalid();

  /** Whether its lease was found to be another one's. */
  volatile boolean lost;

  /** Whether its end was reported to the circuit breaker. */
  boolean isHeard;

  /** Whether its end is written, or nobody will write it; guarded by the worker. */
  boolean over;

  private final long began = System.nanoTime();
  private boolean isWorkedAt;
  private boolean hasAnswered;
  private boolean isBrokenOff;
  private Ongoing ongoing;

  /** Since when it rests, by {@link System#nanoTime}. */
  private long restsSince;

  InFlight(Claimed run, Slots.Place place) {
    this.run = run;
    this.place = place;
  }

  /** How long it has been under way. */
  Duration lasts() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** What goes on elsewhere; empty as long as nothing does. */
  synchronized Optional<Ongoing> ongoing() {
    return Optional.ofNullable(ongoing);
  }

  /** Gives it a thread for its next step, unless one is at it, or nothing is left to do. */
  synchronized void goOn(Runnable step) {
    if (!isWorkedAt) {
      isWorkedAt = true;
      thread = Thread.ofVirtual().name("run " + run.running().runId()).unstarted(step);
      thread.start();
    }
  }

  /** Its thread leaves it until the next look. */
  synchronized void rest(Ongoing elsewhere) {
    ongoing = elsewhere;
    restsSince = System.nanoTime();
    isWorkedAt = false;
  }

  /** Whether it has had no thread for so long. */
  synchronized boolean hasRested(Duration least) {
    return ongoing != null && !isWorkedAt && System.nanoTime() - restsSince >= least.toNanos();
  }

  /** Its executor has answered: from now on nothing breaks it off. */
  synchronized void answered() {
    hasAnswered = true;
    Thread.interrupted(); // what came too late
  }

  /** It is to end without its outcome, unless its executor has answered; once is enough. */
  synchronized void breakOff() {
    if (!hasAnswered && !isBrokenOff) {
      isBrokenOff = true;
      if (isWorkedAt) {
        thread.interrupt();
      }
    }
  }

  /** Whether it is to end without its outcome. */
  synchronized boolean isBrokenOff() {
    return isBrokenOff;
  }
}

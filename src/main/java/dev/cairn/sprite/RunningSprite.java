package dev.cairn.sprite;

import dev.cairn.action.Outcome;
import dev.cairn.work.Ongoing;
import dev.cairn.work.Step;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * An attempt from the beginning of its command to its outcome; {@code docs/sprites.md}, Failures,
 * has the outcomes.
 */
final class RunningSprite implements Ongoing<Outcome> {
  private final MeterRegistry metrics;
  private final String backend;
  private final Timer.Sample timer;
  private Collection<String> secrets;

  /** Those, and what git may repeat. */
  private Collection<String> withGit;

  /** Those of the backend at this moment, which may change while the command runs. */
  private Supplier<List<String>> ofBackend = List::of;

  /** The command, if it runs elsewhere; otherwise null. */
  private SpriteCommand command;

  /** How many polls in a row have failed. */
  private int failedPolls;

  /** Determines the state of the command. */
  interface Call {
    SpriteState make() throws SpriteException, InterruptedException;
  }

  /**
   * An attempt that begins now.
   *
   * @param backend the name of the backend, for the metrics
   * @param secrets the values to mask in messages
   */
  RunningSprite(MeterRegistry metrics, String backend, Collection<String> secrets) {
    this.metrics = metrics;
    this.backend = backend;
    this.secrets = secrets;
    this.withGit = secrets;
    this.timer = Timer.start(metrics);
  }

  /**
   * Masks these values in messages from now on.
   *
   * @param ofGit further ones, which no command gets, but what the backend and git say may repeat
   * @param backendSecrets those with which this service authenticates to the backend, each time
   */
  void mask(
      Collection<String> values, Collection<String> ofGit, Supplier<List<String>> backendSecrets) {
    ofBackend = backendSecrets;
    secrets = values;
    withGit = Stream.concat(values.stream(), ofGit.stream()).toList();
  }

  @Override
  public Step<Outcome> poll() throws InterruptedException {
    return step(command::poll);
  }

  @Override
  public void cancel() {
    end("stopped");
  }

  /** Begins the command or polls it; removes it unless it still runs. */
  Step<Outcome> step(Call call) throws InterruptedException {
    var outcome = "stopped";
    boolean runs = false;
    try {
      var state = call.make();
      switch (state) {
        case SpriteExit exit -> {
          outcome = exit.status() == 0 ? "succeeded" : SpriteError.SPRITE_EXIT_NONZERO.name();
          return new Step.Ended<>(outcome(exit));
        }
        case SpriteCommand running -> {
          command = running;
          failedPolls = 0;
          runs = true;
          return this;
        }
      }
    } catch (SpriteException e) {
      if (command != null && e.isBackendFailure() && ++failedPolls < Calls.MAX_FAILURES) {
        runs = true;
        return this;
      }
      outcome = e.error().name();
      return new Step.Ended<>(failed(e));
    } finally {
      if (!runs) {
        end(outcome);
      }
    }
  }

  private void end(String outcome) {
    timer.stop(
        Timer.builder("cairn.sprite.runs")
            .description("Commands that sprites ran")
            .tag("backend", backend)
            .tag("outcome", outcome)
            .register(metrics));
    if (command != null) {
      command.close();
    }
  }

  private Outcome outcome(SpriteExit exit) {
    var masked = withBackend(secrets);
    return exit.status() == 0
        ? new Outcome.Succeeded(
            null, SpriteOutput.beginning(exit.successOutput(), exit.isTail(), masked))
        : Outcome.Failed.retryable(
            SpriteError.SPRITE_EXIT_NONZERO.name(),
            SpriteOutput.withOutput(
                "The command ended with status %d.".formatted(exit.status()),
                exit.failureOutput(),
                exit.isTail(),
                masked));
  }

  private Collection<String> withBackend(Collection<String> values) {
    return Stream.concat(values.stream(), ofBackend.get().stream()).toList();
  }

  private Outcome failed(SpriteException e) {
    return new Outcome.Failed(
        e.error().name(),
        SpriteOutput.withOutput(e.getMessage(), e.output(), false, withBackend(withGit)),
        e.httpStatus(),
        e.isRetryable(),
        null,
        false);
  }
}

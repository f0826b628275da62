package dev.cairn.sprite;

import java.time.Duration;

/** A command that the service of {@link HttpBackend} runs. */
final class HttpCommand implements SpriteCommand {
  /** How long a poll waits for the end of a run, in seconds. */
  static final int WAIT = 20;

  /** What a service may take beyond a run's own time. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final SpriteService service;
  private final String authorization;
  private final String id;
  private final Duration timeout;
  private final long deadline;
  private boolean mayRun = true;

  HttpCommand(SpriteService service, String authorization, SpriteRun run) {
    this.service = service;
    this.authorization = authorization;
    this.id = run.id();
    this.timeout = run.timeout();
    this.deadline = System.nanoTime() + timeout.plus(GRACE).toNanos();
  }

  SpriteState begin(SpriteServiceRun request) throws SpriteException, InterruptedException {
    return state(Calls.make("a new run", () -> service.begin(authorization, id, request)));
  }

  @Override
  public SpriteState poll() throws SpriteException, InterruptedException {
    var state =
        state(Calls.once("the poll of a run", () -> service.state(authorization, id, WAIT)));
    if (mayRun && System.nanoTime() - deadline > 0) {
      throw SpriteException.retryable(
          SpriteError.SPRITE_EXECUTION_FAILED,
          "The command did not end within %s and was stopped.".formatted(timeout));
    }
    return state;
  }

  private SpriteState state(SpriteServiceState answer) throws SpriteException {
    if (answer == null) {
      throw SpriteException.noJson();
    }
    mayRun = answer.isRunning();
    return mayRun ? this : answer.exit();
  }

  @Override
  public void close() {
    if (mayRun) {
      Calls.attempt("the end of a run", () -> service.stop(authorization, id));
    }
  }
}

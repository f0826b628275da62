package dev.cairn.sprite;

import java.time.Duration;

/** A command that the service of {@link HttpBackend} runs. */
final class HttpCommand implements SpriteCommand {
  /** How long the service is asked to wait before it says that a run still runs, in seconds. */
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

  SpriteState begin(SpriteServiceRun told) throws SpriteException, InterruptedException {
    return state(Calls.make("a new run", () -> service.begin(authorization, id, told)));
  }

  @Override
  public SpriteState look() throws SpriteException, InterruptedException {
    var state =
        state(Calls.once("a question about a run", () -> service.state(authorization, id, WAIT)));
    if (mayRun && System.nanoTime() - deadline > 0) {
      throw SpriteException.retryable(
          SpriteError.SPRITE_EXECUTION_FAILED,
          "The command did not end within %s and was stopped.".formatted(timeout));
    }
    return state;
  }

  private SpriteState state(SpriteServiceState heard) throws SpriteException {
    if (heard == null) {
      throw SpriteException.noJson();
    }
    mayRun = heard.isRunning();
    return mayRun ? this : heard.exit();
  }

  @Override
  public void close() {
    if (mayRun) {
      Calls.attempt("the end of a run", () -> service.stop(authorization, id));
    }
  }
}

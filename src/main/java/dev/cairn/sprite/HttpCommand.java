package dev.cairn.sprite;

import dev.cairn.platform.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A command that the service of {@link HttpBackend} runs. */
final class HttpCommand implements SpriteCommand {
  /** How long a poll waits for the end of a run, in seconds. */
  static final int POLL_SECONDS = 20;

  /** The time that a service may take in addition to the timeout of a run. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final SpriteService service;
  private final String authorization;
  private final String id;
  private final Duration timeout;
  private final Deadline deadline;
  private boolean mayRun = true;

  HttpCommand(SpriteService service, String authorization, SpriteRun run) {
    this.service = service;
    this.authorization = authorization;
    this.id = run.id();
    this.timeout = run.timeout();
    this.deadline = Deadline.in(timeout.plus(GRACE));
  }

  SpriteState begin(SpriteServiceRun request) throws SpriteException, InterruptedException {
    var what = "a new run";
    return state(what, Calls.make(what, deadline, () -> service.begin(authorization, id, request)));
  }

  @Override
  public SpriteState poll() throws SpriteException, InterruptedException {
    var what = "the poll of a run";
    long wait = Math.min(POLL_SECONDS, TimeUnit.NANOSECONDS.toSeconds(deadline.nanosLeft()));
    var state =
        state(what, Calls.once(what, deadline, () -> service.state(authorization, id, wait)));
    if (mayRun && deadline.hasPassed()) {
      throw SpriteException.retryable(
          SpriteError.SPRITE_EXECUTION_FAILED,
          "The command did not end within %s and was stopped.".formatted(timeout));
    }
    return state;
  }

  private SpriteState state(String what, byte[] body) throws SpriteException {
    var answer = Calls.read(what, body, SpriteServiceState.class);
    if (answer == null) {
      throw SpriteException.noJson(what);
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

package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import io.quarkus.rest.client.reactive.QuarkusRestClientBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Has sprites run by a service that the operator names, see {@code docs/sprites.md}, The http
 * backend. The URL is the operator's, who may name whatever the service can reach, so it does not
 * go through {@code egress}.
 */
@ApplicationScoped
class HttpBackend implements SpriteBackend {
  /** How long the service is asked to wait before it says that a run still runs, in seconds. */
  private static final int WAIT = 20;

  /** What a service may take beyond a run's own time. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private static final Duration LEAST_PAUSE = Duration.ofMillis(500);

  private final CairnConfig.Sprite config;

  /** Made with the first run, and kept, since it holds connections. */
  private SpriteService service;

  HttpBackend(CairnConfig config) {
    this.config = config.sprite();
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public SpriteExit run(SpriteRun run) throws SpriteException, InterruptedException {
    var key =
        config
            .key()
            .orElseThrow(
                () ->
                    SpriteException.terminal(
                        SpriteError.SPRITE_AUTH_MISSING, "The backend of sprites has no key."));
    return run(run, service(), "Bearer " + key);
  }

  private synchronized SpriteService service() {
    if (service == null) {
      service =
          QuarkusRestClientBuilder.newBuilder()
              .baseUri(config.url().orElseThrow())
              .connectTimeout(5, TimeUnit.SECONDS)
              .readTimeout(WAIT + 10L, TimeUnit.SECONDS)
              .followRedirects(false)
              .build(SpriteService.class);
    }
    return service;
  }

  private static SpriteExit run(SpriteRun run, SpriteService service, String authorization)
      throws SpriteException, InterruptedException {
    boolean runs = true;
    try {
      var state = ended(run, service, authorization);
      runs = false;
      return state.exit();
    } finally {
      if (runs) {
        Calls.attempt("the end of a run", () -> service.stop(authorization, run.id()));
      }
    }
  }

  private static SpriteServiceState ended(
      SpriteRun run, SpriteService service, String authorization)
      throws SpriteException, InterruptedException {
    long deadline = System.nanoTime() + run.timeout().plus(GRACE).toNanos();
    var told = SpriteServiceRun.of(run);
    var state = Calls.make("a new run", () -> service.begin(authorization, run.id(), told));
    while (state.isRunning()) {
      if (System.nanoTime() > deadline) {
        throw SpriteException.retryable(
            SpriteError.SPRITE_EXECUTION_FAILED,
            "The command did not end within %s and was stopped.".formatted(run.timeout()));
      }
      long asked = System.nanoTime();
      state =
          Calls.make("a question about a run", () -> service.state(authorization, run.id(), WAIT));
      if (state.isRunning()) {
        // The question is the wait. A service that does not wait is not to be asked without end:
        // docs/decisions/0018-waiting-for-commands.md.
        Thread.sleep(LEAST_PAUSE.minusNanos(System.nanoTime() - asked));
      }
    }
    return state;
  }
}

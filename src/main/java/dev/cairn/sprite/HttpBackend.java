package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Runs sprites with a service that the operator configured, see {@code docs/sprites.md}, The http
 * backend. The operator may configure any host that this service can reach, so it is not called
 * through {@code egress}.
 */
@ApplicationScoped
class HttpBackend implements SpriteBackend {
  private final CairnConfig.Sprite config;

  /** Created with the first run and reused, since it holds connections. */
  private SpriteService service;

  HttpBackend(CairnConfig config) {
    this.config = config.sprite();
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public List<String> secrets() {
    return config.key().stream().toList();
  }

  @Override
  public SpriteState begin(SpriteRun run) throws SpriteException, InterruptedException {
    var key =
        config
            .key()
            .orElseThrow(
                () ->
                    SpriteException.terminal(
                        SpriteError.SPRITE_AUTH_MISSING, "The backend of sprites has no key."));
    var command = new HttpCommand(service(), "Bearer " + key, run);
    try {
      return run.input().whole(input -> command.begin(SpriteServiceRun.of(run, input)));
    } catch (SpriteException | InterruptedException | RuntimeException e) {
      command.close();
      throw e;
    }
  }

  private synchronized SpriteService service() {
    if (service == null) {
      service = BackendClients.builder(config.url().orElseThrow()).build(SpriteService.class);
    }
    return service;
  }
}

package dev.cairn.sprite;

import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Has sprites run by a service that the operator names, see {@code docs/sprites.md}, The http
 * backend. The URL is the operator's, who may name any host that the service can reach, so it is
 * not called through {@code egress}.
 */
@ApplicationScoped
class HttpBackend implements SpriteBackend {
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

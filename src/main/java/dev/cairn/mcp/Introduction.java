package dev.cairn.mcp;

import io.quarkiverse.mcp.server.InitialResponseInfo;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Says the same at a handshake as where none is needed. */
@ApplicationScoped
class Introduction implements InitialResponseInfo {
  @Override
  public Optional<String> instructions(String serverName) {
    return Optional.of(Guide.INSTRUCTIONS);
  }
}

package dev.cairn.access.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Scopes;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * A cache of the scopes of tokens, which never change, by the id of the token. It holds up to 16
 * MiB, measured by the size of the compiled patterns, which whoever creates a token chooses.
 */
final class ScopesCache {
  static final int MAX_BYTES = 16 * 1024 * 1024;

  private final Cache<UUID, Scopes> scopes =
      Caffeine.newBuilder()
          .maximumWeight(MAX_BYTES)
          .weigher((UUID _, Scopes s) -> s.bytes())
          // Entries are evicted at once, not some time later.
          .executor(Runnable::run)
          .build();

  /** The scopes of a token. */
  Scopes get(UUID tokenId, Function<UUID, Scopes> load) {
    return scopes.get(tokenId, load);
  }

  /** The scopes of a token, if they are cached. */
  Optional<Scopes> known(UUID tokenId) {
    return Optional.ofNullable(scopes.getIfPresent(tokenId));
  }
}

package dev.cairn.access.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Scopes;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Scopes by the id of their token; they never change. It holds up to 16 MiB of them, by the size of
 * their compiled patterns: who makes tokens chooses how large those are.
 */
final class ScopesCache {
  static final int MAX_BYTES = 16 * 1024 * 1024;

  private final Cache<UUID, Scopes> scopes =
      Caffeine.newBuilder()
          .maximumWeight(MAX_BYTES)
          .weigher((UUID _, Scopes s) -> s.bytes())
          // What is too much leaves before more comes, not some time later.
          .executor(Runnable::run)
          .build();

  /** The scopes of a token. */
  Scopes get(UUID tokenId, Function<UUID, Scopes> load) {
    return scopes.get(tokenId, load);
  }

  /** The scopes of a token, if they are held. */
  Optional<Scopes> known(UUID tokenId) {
    return Optional.ofNullable(scopes.getIfPresent(tokenId));
  }
}

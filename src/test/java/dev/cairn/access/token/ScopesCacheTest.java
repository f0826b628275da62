package dev.cairn.access.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.access.Permission;
import dev.cairn.access.Scope;
import dev.cairn.access.Scopes;
import dev.cairn.model.glob.Glob;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScopesCacheTest {
  private static final int TOKENS = 260;
  private static final int PATTERNS = 42;

  /** Of a pattern of 480 characters, as measured. */
  private static final int MEASURED = 4_700;

  private static Scopes scopes(int patterns, String pattern) {
    var globs = Collections.nCopies(patterns, Glob.parse(pattern));
    return new Scopes(
        List.of(
            new Scope(
                "org/repo",
                UUID.randomUUID(),
                UUID.randomUUID(),
                Set.of(Permission.REPO_READ),
                Optional.of(globs))));
  }

  /** How many tokens of this number are held when all of them were used. */
  private static int held(int tokens, Scopes scopes) {
    var cache = new ScopesCache();
    var ids = Stream.generate(UUID::randomUUID).limit(tokens).toList();
    ids.forEach(id -> cache.get(id, _ -> scopes));
    var held = new AtomicInteger(tokens);
    ids.forEach(
        id ->
            cache.get(
                id,
                _ -> {
                  held.decrementAndGet();
                  return Scopes.UNRESTRICTED;
                }));
    return held.get();
  }

  @Test
  void large_patterns_are_held_up_to_16_MiB() {
    var large = scopes(PATTERNS, "Note/" + "a".repeat(475));
    int held = held(TOKENS, large);
    assertTrue(held > 0, "some are held");
    long bytes = (long) held * PATTERNS * MEASURED;
    assertTrue(bytes <= ScopesCache.MAX_BYTES, held + " tokens are held, of " + bytes + " bytes");
  }

  @Test
  void many_tokens_with_small_patterns_are_held() {
    assertEquals(1_000, held(1_000, scopes(1, "Note/**")));
  }
}

package dev.cairn.live;

import com.github.benmanes.caffeine.cache.Cache;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reads what many ask for at the same moment once for all of them. A slow read holds up those who
 * ask for the same and nobody else: it is not done within a lock of the cache, which others share.
 *
 * @param <K> what is read
 * @param <V> what comes of it
 */
final class SharedReads<K, V> {
  private final Cache<K, V> cache;
  private final Function<K, V> read;
  private final Predicate<V> isToBeKept;
  private final ConcurrentMap<K, CompletableFuture<V>> underWay = new ConcurrentHashMap<>();

  /**
   * @param read takes a bounded time, and does not return null
   * @param isToBeKept whether a value is kept in the cache; it may have changed otherwise
   */
  SharedReads(Cache<K, V> cache, Function<K, V> read, Predicate<V> isToBeKept) {
    this.cache = cache;
    this.read = read;
    this.isToBeKept = isToBeKept;
  }

  /** The value from the cache, or from a read that is under way or begins now, which may fail. */
  V get(K key) {
    var known = cache.getIfPresent(key);
    if (known != null) {
      return known;
    }
    var own = new CompletableFuture<V>();
    var other = underWay.putIfAbsent(key, own);
    return other == null ? read(key, own) : await(other);
  }

  private V read(K key, CompletableFuture<V> result) {
    try {
      // Another read may have ended since the cache was asked.
      var known = cache.getIfPresent(key);
      var value = known != null ? known : read.apply(key);
      if (known == null && isToBeKept.test(value)) {
        cache.put(key, value);
      }
      result.complete(value);
      return value;
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
      throw e;
    } finally {
      underWay.remove(key, result);
    }
  }

  private static <V> V await(CompletableFuture<V> other) {
    try {
      return other.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}

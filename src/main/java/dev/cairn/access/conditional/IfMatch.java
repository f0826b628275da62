package dev.cairn.access.conditional;

import io.vertx.core.MultiMap;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The {@code If-Match} condition of a change: it is made only if the present state has one of the
 * listed entity tags. See {@code docs/api.md}, Conditional requests and caching.
 */
public final class IfMatch {
  /** The condition of a change without {@code If-Match}: any state will do. */
  public static final IfMatch UNRESTRICTED = new IfMatch(Optional.empty());

  private final Optional<EntityTags> tags;

  private IfMatch(Optional<EntityTags> tags) {
    this.tags = tags;
  }

  /** The condition in the headers of a request. */
  public static IfMatch of(MultiMap headers) {
    return headers.contains(HttpHeaders.IF_MATCH)
        ? new IfMatch(Optional.of(EntityTags.ifMatch(headers)))
        : UNRESTRICTED;
  }

  /** The condition in a text that has the form of the header; empty for no condition. */
  public static IfMatch of(Optional<String> text) {
    return of(
        text.map(value -> MultiMap.caseInsensitiveMultiMap().add(HttpHeaders.IF_MATCH, value))
            .orElseGet(MultiMap::caseInsensitiveMultiMap));
  }

  /**
   * Whether the change may be made.
   *
   * @param tag the present state's tag, with its quotes; called only if tags are listed
   */
  public boolean allows(Supplier<String> tag) {
    return tags.isEmpty() || tags.get().matchesAny() || tags.get().listsStrongly(tag.get());
  }
}

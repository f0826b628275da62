package dev.cairn.access.conditional;

import io.vertx.core.MultiMap;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The states upon which a change is to be made, as {@code If-Match} names them: {@code
 * docs/api.md}, Conditional requests and caching.
 */
public final class IfMatch {
  /** Of a change that names no state. */
  public static final IfMatch UNRESTRICTED = new IfMatch(Optional.empty());

  private final Optional<EntityTags> tags;

  private IfMatch(Optional<EntityTags> tags) {
    this.tags = tags;
  }

  /** What the headers of a request say. */
  public static IfMatch of(MultiMap headers) {
    return headers.contains(HttpHeaders.IF_MATCH)
        ? new IfMatch(Optional.of(EntityTags.ifMatch(headers)))
        : UNRESTRICTED;
  }

  /** What a text says, in the form of the header. */
  public static IfMatch of(Optional<String> text) {
    return of(
        text.map(value -> MultiMap.caseInsensitiveMultiMap().add(HttpHeaders.IF_MATCH, value))
            .orElseGet(MultiMap::caseInsensitiveMultiMap));
  }

  /**
   * Whether the change may be made.
   *
   * @param tag of the present state, with its quotes; asked for only if a state is named
   */
  public boolean allows(Supplier<String> tag) {
    return tags.isEmpty() || tags.get().any() || tags.get().listsStrongly(tag.get());
  }
}

package dev.cairn.client;

import java.util.List;

/**
 * A personal access token that was just created.
 *
 * @param token the token itself, which only this answer has
 * @param name its name
 * @param description the purpose of the token; null if absent
 * @param scopes the scopes that it is narrowed to; null if it is not narrowed
 * @param expiresAt when it expires, in milliseconds since 1970-01-01 UTC
 * @param createdAt when it was created, in milliseconds since 1970-01-01 UTC
 * @param warnings the parts of the request that were changed; null if absent
 */
public record CreatedPat(
    String token,
    String name,
    @Nullable String description,
    @Nullable List<ScopeEntry> scopes,
    long expiresAt,
    long createdAt,
    @Nullable List<String> warnings) {

  /** Everything but the token itself. */
  @Override
  public String toString() {
    return "CreatedPat[name=" + name + ", scopes=" + scopes + ", expiresAt=" + expiresAt + "]";
  }
}

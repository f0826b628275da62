package dev.cairn.client;

import java.util.List;

/**
 * A personal access token.
 *
 * @param name its name
 * @param description the purpose of the token; null if absent
 * @param scopes the scopes that it is narrowed to; null if it is not narrowed
 * @param expiresAt when it expires, in milliseconds since 1970-01-01 UTC
 * @param revokedAt when it was revoked, in milliseconds since 1970-01-01 UTC; null if it was not
 * @param createdAt when it was created, in milliseconds since 1970-01-01 UTC
 */
public record Pat(
    String name,
    @Nullable String description,
    @Nullable List<ScopeEntry> scopes,
    long expiresAt,
    @Nullable Long revokedAt,
    long createdAt) {}

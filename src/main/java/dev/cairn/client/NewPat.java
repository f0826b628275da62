package dev.cairn.client;

import java.util.List;

/**
 * A new personal access token.
 *
 * @param name its name, unique for the account
 * @param description the purpose of the token; null if absent
 * @param scopes the scopes that it is narrowed to; without them it may do anything that the account
 *     may, except manage tokens; null if absent
 * @param structured whether one resource may have several entries; null if absent
 * @param expiresAt when it expires: by default in 30 days, at most in 366 days, in milliseconds
 *     since 1970-01-01 UTC; null if absent
 */
public record NewPat(
    String name,
    @Nullable String description,
    @Nullable List<ScopeEntry> scopes,
    @Nullable Boolean structured,
    @Nullable Long expiresAt) {}

package dev.cairn.client;

import java.util.List;

/**
 * An entry of a token's scopes, see {@code docs/access.md}, Scopes.
 *
 * @param resource {@code org/repo} or {@code org}; without it the entry applies to everything; null
 *     if absent
 * @param permissions the permissions, which are independent; {@code repo:write} does not include
 *     {@code repo:read}
 * @param allowedMatches globs over whole wrefs; only entities that match one of them can be read or
 *     written, with {@code []} none. Only allowed in entries for one repository. A token may have
 *     up to 500 globs, with 16,384 characters together. The globs of one entry may have up to 1,000
 *     different characters, and their number times that of all {@code *}, {@code **} and {@code ?}
 *     must be at most 50,000; null if absent
 */
public record ScopeEntry(
    @Nullable String resource,
    @Values({
          "repo:read",
          "repo:checkpoint-read",
          "repo:write",
          "repo:action-callback",
          "repo:configure",
          "repo:admin",
          "org:read",
          "org:configure",
          "org:action-callback",
          "org:admin"
        })
        List<String> permissions,
    @Nullable List<String> allowedMatches) {}

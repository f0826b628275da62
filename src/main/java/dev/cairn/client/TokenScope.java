package dev.cairn.client;

import java.util.List;

/**
 * Permissions of a sprite's token in the repository.
 *
 * @param permissions each may be in only one entry
 * @param allowedMatches patterns of wrefs; without it there is no restriction; null if absent
 */
public record TokenScope(
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

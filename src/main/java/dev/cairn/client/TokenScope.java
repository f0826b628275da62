package dev.cairn.client;

import java.util.List;

/**
 * Permissions of a sprite's token in the repository.
 *
 * @param permissions each may be in only one entry
 * @param allowedMatches patterns of wrefs; without it there is no restriction; null if absent
 */
public record TokenScope(List<String> permissions, List<String> allowedMatches) {}

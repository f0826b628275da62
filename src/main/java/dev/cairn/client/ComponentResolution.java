package dev.cairn.client;

/**
 * Where a component is to be installed.
 *
 * @param installRepo the repository, as {@code org/repo}
 */
public record ComponentResolution(String installRepo) {}

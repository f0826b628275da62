package dev.cairn.client;

/**
 * The install that a server is told of.
 *
 * @param installRepo the repository, as {@code org/repo}
 * @param installId the install of the component there
 * @param expectedManifestHash of the newest manifest or the installed one
 */
public record ComponentSetup(String installRepo, String installId, String expectedManifestHash) {}

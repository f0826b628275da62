package dev.cairn.client;

/**
 * Which component to install.
 *
 * @param component the component, as {@code org/name}
 * @param version the version; the newest by default; null if absent
 * @param expectedManifestHash the hash of the manifest that you have seen; another one is {@code
 *     CONFLICT}; null if absent
 * @param dryRun whether it is only planned; false by default; null if absent
 */
public record Installation(
    String component,
    @Nullable String version,
    @Nullable String expectedManifestHash,
    @Nullable Boolean dryRun) {}

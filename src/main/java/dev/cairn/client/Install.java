package dev.cairn.client;

/**
 * A component in a repository.
 *
 * @param installId the id of the install
 * @param component the component, as {@code org/name}; null if absent
 * @param version the version that is installed, or was last; null if absent
 * @param manifestHash the SHA-256 of the manifest's canonical JSON, in hexadecimal digits; null if
 *     absent
 * @param state whether its installation is complete; while it is being installed or was interrupted
 *     in that, {@code installing}
 * @param installedBy the e-mail address of the account that installed it; null if absent
 * @param createdAt when its id was reserved, in milliseconds since 1970-01-01 UTC
 * @param updatedAt when its state changed last, in milliseconds since 1970-01-01 UTC
 * @param newestVersion the newest version that is registered; null if absent
 */
public record Install(
    String installId,
    @Nullable String component,
    @Nullable String version,
    @Nullable String manifestHash,
    @Values({"installing", "installed", "torn_down"}) String state,
    @Nullable String installedBy,
    long createdAt,
    long updatedAt,
    @Nullable String newestVersion) {}

package dev.cairn.client;

/**
 * A component in a list, at its newest version.
 *
 * @param org the organization that owns it
 * @param name the name of a component
 * @param title the name for people
 * @param description what it does; null if absent
 * @param visibility {@code public}, or {@code private} for members only
 * @param version the newest version
 * @param manifestHash the SHA-256 of the manifest's canonical JSON, in hexadecimal digits
 * @param hasSetup whether a setup call is made for it
 * @param mintsToken whether an installation mints a token
 * @param createdAt when it was registered, in milliseconds since 1970-01-01 UTC
 * @param updatedAt when it was changed last, in milliseconds since 1970-01-01 UTC
 */
public record ListedComponent(
    String org,
    String name,
    String title,
    @Nullable String description,
    @Values({"public", "private"}) String visibility,
    String version,
    String manifestHash,
    boolean hasSetup,
    boolean mintsToken,
    long createdAt,
    long updatedAt) {}

package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A component, at one of its versions.
 *
 * @param org the organization that owns it
 * @param name the name of a component
 * @param visibility {@code public}, or {@code private} for members only
 * @param version the version that the manifest is of
 * @param versions all versions, the newest first
 * @param manifest the manifest; its JSON Schema is {@code GET /component.schema.json}
 * @param manifestHash the SHA-256 of the manifest's canonical JSON, in hexadecimal digits
 * @param hasSetup whether a setup call is made for it
 * @param setupUrl the URL of the setup call; for callers with {@code org:configure}; null if absent
 * @param credentialSetName the set whose secrets it sends; for callers with {@code org:configure};
 *     null if absent
 * @param mintsToken whether an installation mints a token
 * @param createdAt when it was registered, in milliseconds since 1970-01-01 UTC
 * @param updatedAt when it was changed last, in milliseconds since 1970-01-01 UTC
 */
public record Component(
    String org,
    String name,
    @Values({"public", "private"}) String visibility,
    String version,
    List<ComponentVersion> versions,
    JsonNode manifest,
    String manifestHash,
    boolean hasSetup,
    @Nullable String setupUrl,
    @Nullable String credentialSetName,
    boolean mintsToken,
    long createdAt,
    long updatedAt) {}

package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A version of a component, and how it is registered.
 *
 * @param manifest the manifest; its JSON Schema is {@code GET /component.schema.json}
 * @param visibility {@code public}, or {@code private} for members only, which is the default; null
 *     if absent
 * @param setupUrl the URL of the setup call; null leaves it, a JSON null removes it
 * @param credentialSetName the organization's credential set whose secrets the setup call sends;
 *     null leaves it, a JSON null removes it
 * @param mintsToken whether an installation mints a token; false by default; null if absent
 */
public record ComponentRegistration(
    JsonNode manifest,
    @Nullable @Values({"public", "private"}) String visibility,
    @Nullable JsonNode setupUrl,
    @Nullable JsonNode credentialSetName,
    @Nullable Boolean mintsToken) {}

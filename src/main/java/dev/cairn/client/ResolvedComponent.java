package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A component for a repository.
 *
 * @param manifest the manifest; its JSON Schema is {@code GET /component.schema.json}
 * @param manifestHash the SHA-256 of the manifest's canonical JSON, in hexadecimal digits
 * @param hasSetup whether a setup call is made for it
 * @param installId the id of the install; null if the repository is archived and had none before
 * @param eligible whether the caller may install it
 * @param reasons why not; empty if it is eligible
 */
public record ResolvedComponent(
    JsonNode manifest,
    String manifestHash,
    boolean hasSetup,
    @Nullable String installId,
    boolean eligible,
    List<IneligibleReason> reasons) {}

package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a component's server answered.
 *
 * @param status the status; null if there is no answer
 * @param body the body, as JSON or as a string with its text; null if it is empty or too long
 * @param truncated true if the body is longer than 256 KiB or did not end in time; null if absent
 * @param reason why a server did not answer ({@code network_error}, {@code timeout}, {@code
 *     target_forbidden}); null if absent
 * @param detail the same for people; null if absent
 */
public record ComponentCallResult(
    @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Integer status,
    @Nullable JsonNode body,
    @Nullable Boolean truncated,
    @Nullable @Values({"network_error", "timeout", "target_forbidden"}) String reason,
    @Nullable String detail) {}

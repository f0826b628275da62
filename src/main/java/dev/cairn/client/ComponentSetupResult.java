package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What came of a setup call.
 *
 * @param ok whether the server answered with a status of 2xx or need not be called
 * @param skipped true if the component has no setup call; null if absent
 * @param status the status of the server's answer; null if absent
 * @param result the answer's body if it is JSON of at most 64 KiB; null if absent
 * @param truncated true if the body is longer than 64 KiB or did not end in time; null if absent
 * @param reason why a server did not answer ({@code network_error}, {@code timeout}, {@code
 *     target_forbidden}); null if absent
 * @param detail the same for people; null if absent
 */
public record ComponentSetupResult(
    boolean ok,
    @Nullable Boolean skipped,
    @Nullable Integer status,
    @Nullable JsonNode result,
    @Nullable Boolean truncated,
    @Nullable @Values({"network_error", "timeout", "target_forbidden"}) String reason,
    @Nullable String detail) {}

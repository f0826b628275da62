package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * An error, RFC 9457; see {@code docs/errors.md}.
 *
 * @param type {@code urn:cairn:error:} and the code; an identifier, not the address of a page
 * @param title the code in words, the same for every occurrence
 * @param status the HTTP status
 * @param detail what was wrong this time: the rule, and what was found
 * @param code the error code for programs, see {@code docs/errors.md}, The codes. New codes may be
 *     added; the meaning of a code does not change
 * @param errors the broken rules, each with its {@code pointer} and a {@code detail}, in the order
 *     of the request; of a commit, errors of form first. At most 100; a last entry with an empty
 *     pointer then says, for example, {@code and 17 more}; null if absent
 * @param details details for programs, such as {@code reason}, {@code currentVersion}, {@code
 *     opIndex} and {@code retryAfter}; null if absent
 * @param hint what to do about it; null if absent
 * @param traceId only with {@code INTERNAL_ERROR}; the service's log has the same id, with the
 *     cause; null if absent
 */
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    String code,
    @Nullable List<Violation> errors,
    @Nullable JsonNode details,
    @Nullable String hint,
    @Nullable String traceId) {}

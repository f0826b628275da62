package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event in an organization, see {@code docs/audit.md}, Audit log of an organization.
 *
 * @param id the event
 * @param at when it happened, in milliseconds since 1970-01-01 UTC
 * @param action the action, such as {@code member.role_changed}
 * @param actor the account's e-mail address at that time; {@code cairn} if the service itself acted
 * @param token the name of the personal access token, of the subscription of a service token, of
 *     the component of a component token, or of the OAuth client that was used; null for a sign-in
 * @param address the network address; null if the service itself acted
 * @param target the object of the action
 * @param details details, such as {@code from} and {@code to}
 */
public record AuditEvent(
    String id,
    long at,
    String action,
    String actor,
    @Nullable String token,
    @Nullable String address,
    String target,
    JsonNode details) {}

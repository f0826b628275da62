package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event of an account, see {@code docs/audit.md}, Audit log of an account.
 *
 * @param id the event
 * @param at when it happened; of several failed sign-ins the first time
 * @param action what happened, such as {@code session.started}
 * @param address the network address; null if the service itself acted, and for failed sign-ins
 *     from more than 20 addresses
 * @param target the object of the event
 * @param details details, such as {@code session} and {@code reason}
 * @param count the number of failed sign-ins in the hour; null if absent
 */
public record AccountEvent(
    String id,
    long at,
    String action,
    @Nullable String address,
    String target,
    JsonNode details,
    @Nullable Integer count) {}

package dev.cairn.client;

/**
 * One thing that is made, changed or left.
 *
 * @param kind what it is ({@code shape}, {@code seed}, {@code record}, {@code credential-set},
 *     {@code subscription}, {@code token})
 * @param name its name
 * @param action what is done ({@code create}, {@code change}, {@code leave}, {@code pause}, {@code
 *     delete}, {@code revoke}, {@code retract})
 */
public record InstallItem(
    @Values({"shape", "seed", "record", "credential-set", "subscription", "token"}) String kind,
    String name,
    @Values({"create", "change", "leave", "pause", "delete", "revoke", "retract"}) String action) {}

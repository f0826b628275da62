package dev.cairn.client;

import java.util.List;

/**
 * A credential set, without its values.
 *
 * @param name a credential set's name
 * @param description the purpose of the set; null if absent
 * @param keyNames the names of its keys
 * @param createdAt when it was created, in milliseconds since 1970-01-01 UTC
 * @param updatedAt when it was changed last, in milliseconds since 1970-01-01 UTC
 * @param revokedAt when it was revoked, in milliseconds since 1970-01-01 UTC; null while it can be
 *     used
 */
public record CredentialSet(
    String name,
    @Nullable String description,
    List<String> keyNames,
    long createdAt,
    long updatedAt,
    @Nullable Long revokedAt) {}

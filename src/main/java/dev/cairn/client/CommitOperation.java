package dev.cairn.client;

/**
 * One change that a commit made.
 *
 * @param opIndex the operation's index in the request
 * @param operation its effect
 * @param kind the kind of the entity; a collection is a thing
 * @param wref the entity by its current name
 * @param version the version that was created; null for a rename
 * @param active the state after the change; null for a rename
 * @param dataHash the SHA-256 of the data's canonical JSON, see {@code docs/model.md}, Canonical
 *     JSON; null if absent
 * @param formerName the name before a rename; null for anything else
 */
public record CommitOperation(
    int opIndex,
    @Values({"add", "revise", "rename"}) String operation,
    @Values({"shape", "thing", "assertion"}) String kind,
    String wref,
    @Nullable Integer version,
    @Nullable Boolean active,
    @Nullable String dataHash,
    @Nullable String formerName) {}

package dev.cairn.client;

/**
 * A reference from one entity to another, as seen from one of them.
 *
 * @param wref the other end, by its current name; in another repository, as it was written
 * @param kind the kind of the other end; null if it is in another repository
 * @param relation {@code about} for an assertion and its target, {@code data} for a field or a
 *     member of a collection
 * @param pointer with {@code data}, the JSON pointer to the reference in the data of the referring
 *     entity; null if absent
 * @param pinnedVersion the version of the target that the reference is pinned to
 */
public record Reference(
    String wref,
    @Nullable @Values({"shape", "thing", "assertion"}) String kind,
    @Values({"about", "data"}) String relation,
    @Nullable String pointer,
    int pinnedVersion) {}

package dev.cairn.client;

/**
 * The entity and version that a wref names.
 *
 * @param wref names an entity: {@code Shape/name} in the same repository, {@code
 *     cairn:org/repo/Shape/name} in any repository. {@code @v7}, {@code @HEAD} or {@code @ALL} may
 *     select a version. See {@code docs/model.md}, Wrefs
 * @param version the version, counted from 1
 * @param kind the kind of the entity; a collection is a thing
 * @param active whether it is active; an inactive entity keeps its name and its history
 * @param canonicalWref the wref with organization and repository
 */
public record Resolution(
    String wref,
    int version,
    @Values({"shape", "thing", "assertion"}) String kind,
    boolean active,
    String canonicalWref) {}

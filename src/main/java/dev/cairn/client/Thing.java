package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One entity.
 *
 * @param wref the shape and the name
 * @param name the name without the shape, which may have several segments
 * @param shapeName the name of the shape; {@code Shape} for a shape itself
 * @param kind the kind of the entity; a collection is a thing
 * @param version the version shown
 * @param data the data, as its shape defines it, with references as {@code Shape/name@vN}; for a
 *     shape, its definition
 * @param aboutWref the target of an assertion, with the version that it is pinned to; only on
 *     assertions; null if absent
 * @param active whether it is active; an inactive entity keeps its name and its history
 * @param canonicalWref the wref with organization and repository
 * @param shapeVersion the version of the shape that the data was validated with
 * @param dataHash the SHA-256 of the data's canonical JSON, see {@code docs/model.md}, Canonical
 *     JSON
 * @param createdAt when version 1 was created
 * @param updatedAt when this version was created
 * @param author the author of this version
 */
public record Thing(
    String wref,
    String name,
    String shapeName,
    @Values({"shape", "thing", "assertion"}) String kind,
    int version,
    JsonNode data,
    @Nullable String aboutWref,
    boolean active,
    String canonicalWref,
    int shapeVersion,
    String dataHash,
    long createdAt,
    long updatedAt,
    String author) {}

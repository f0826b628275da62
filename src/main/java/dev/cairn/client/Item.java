package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An entity in a list.
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
 * @param active present only if inactive entities are included; null if absent
 */
public record Item(
    String wref,
    String name,
    String shapeName,
    @Values({"shape", "thing", "assertion"}) String kind,
    int version,
    JsonNode data,
    @Nullable String aboutWref,
    @Nullable Boolean active) {}

package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * An assertion, with the assertions about it.
 *
 * @param wref names an entity: {@code Shape/name} in the same repository, {@code
 *     cairn:org/repo/Shape/name} in any repository. {@code @v7}, {@code @HEAD} or {@code @ALL} may
 *     select a version. See {@code docs/model.md}, Wrefs
 * @param name the name without the shape, which may have several segments
 * @param shapeName the name of the shape; {@code Shape} for a shape itself
 * @param kind the kind of the entity; a collection is a thing
 * @param version the version, counted from 1
 * @param data the data, as its shape defines it, with references as {@code Shape/name@vN}; for a
 *     shape, its definition
 * @param aboutWref the target of an assertion, with the version that it is pinned to; only on
 *     assertions; null if absent
 * @param children the assertions about it, newest first, as far as {@code depth} goes; null if
 *     absent
 * @param childrenTruncated not all of its children are included; null if absent
 */
public record Assertion(
    String wref,
    String name,
    String shapeName,
    @Values({"shape", "thing", "assertion"}) String kind,
    int version,
    JsonNode data,
    @Nullable String aboutWref,
    @Nullable List<Assertion> children,
    @Nullable Boolean childrenTruncated) {}

package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A shape and how to add to it.
 *
 * @param name the name of the shape; {@code Shape} for a shape itself
 * @param version its version; null for a built-in one
 * @param description the purpose of the shape; null if absent
 * @param about what its entities may be about, as in its definition; null if anything or nothing
 * @param fields its fields
 * @param count the number of its active entities
 * @param sampleWrefs its first entities; null for a built-in one
 * @param exampleOperations operations that can be sent in a commit; null for a built-in one
 */
public record DescribedShape(
    String name,
    @Nullable Integer version,
    @Nullable String description,
    @Nullable JsonNode about,
    List<DescribedField> fields,
    long count,
    @Nullable List<String> sampleWrefs,
    @Nullable List<Operation> exampleOperations) {}

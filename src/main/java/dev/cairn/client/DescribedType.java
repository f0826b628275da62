package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * The type of the items of an array.
 *
 * @param type the type
 * @param minLength for a string, in code points; null if absent
 * @param maxLength for a string, in code points; null if absent
 * @param pattern for a string, an RE2 expression; null if absent
 * @param values for a string, the allowed values; null if absent
 * @param minimum for a number; null if absent
 * @param maximum for a number; null if absent
 * @param integer for a number; null if absent
 * @param shape for a wref, the shape of its target; null if absent
 * @param items for an array, the type of its items; null if absent
 * @param minItems for an array; null if absent
 * @param maxItems for an array; null if absent
 * @param fields for an object; null if absent
 */
public record DescribedType(
    @Values({"string", "number", "boolean", "wref", "array", "any", "object"}) String type,
    @Nullable Integer minLength,
    @Nullable Integer maxLength,
    @Nullable String pattern,
    @JsonProperty("enum") @Nullable List<String> values,
    @Nullable Double minimum,
    @Nullable Double maximum,
    @Nullable Boolean integer,
    @Nullable String shape,
    @Nullable DescribedType items,
    @Nullable Integer minItems,
    @Nullable Integer maxItems,
    @Nullable List<DescribedField> fields) {}

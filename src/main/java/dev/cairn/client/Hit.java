package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * An entity that matches a search.
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
 * @param score how well it matches; only for the order within one search
 * @param ranks its positions in the lists that the modes {@code vector} and {@code hybrid} begin
 *     with; null if absent
 * @param snippets parts of texts in the data with words that were found, at most 3
 */
public record Hit(
    String wref,
    String name,
    String shapeName,
    @Values({"shape", "thing", "assertion"}) String kind,
    int version,
    JsonNode data,
    @Nullable String aboutWref,
    @Nullable Boolean active,
    double score,
    @Nullable Ranks ranks,
    List<Snippet> snippets) {
  /**
   * Its positions in the lists that the modes {@code vector} and {@code hybrid} begin with.
   *
   * @param text the position by words; null if absent
   * @param vector the position by similarity; null if absent
   */
  public record Ranks(@Nullable Integer text, @Nullable Integer vector) {}
}

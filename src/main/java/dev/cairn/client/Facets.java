package dev.cairn.client;

import java.util.List;

/**
 * The numbers of hits, on the first page if they were requested.
 *
 * @param shape by shape, the most frequent first; at most 100
 */
public record Facets(List<ShapeCount> shape) {
  /**
   * A shape.
   *
   * @param value the name of the shape; {@code Shape} for a shape itself
   * @param count the number of hits
   */
  public record ShapeCount(String value, long count) {}
}

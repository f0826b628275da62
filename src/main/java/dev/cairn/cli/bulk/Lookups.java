package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** Looks entities up in HEAD, many at once. */
@FunctionalInterface
interface Lookups {
  /**
   * An entity that exists.
   *
   * @param data its data, with references as {@code Shape/name@vN}
   * @param isActive whether it is active
   */
  record Found(JsonNode data, boolean isActive) {}

  /** Those of the entities that exist, by their wrefs. */
  Map<String, Found> find(List<String> wrefs);
}

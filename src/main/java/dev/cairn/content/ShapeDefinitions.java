package dev.cairn.content;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.model.IJson;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.StoredJson;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;

/** Reads the stored definitions of shapes, and keeps what it read. */
// Caffeine finds the classes of a cache by name, which a native image has to be told.
@RegisterForReflection(
    classNames = {
      "com.github.benmanes.caffeine.cache.SSMW",
      "com.github.benmanes.caffeine.cache.PSMW"
    })
@ApplicationScoped
public class ShapeDefinitions {
  /** What all cached definitions may weigh together, in bytes, about. */
  private static final int MAX_CACHED_WEIGHT = 16 * 1024 * 1024;

  private static final int WEIGHT_OF_TOKEN = 20;
  private static final int WEIGHT_OF_PATTERN_PART = 32;

  /** By the stored text, which is all that a definition depends on. */
  private final Cache<String, ShapeDefinition> definitions =
      Caffeine.newBuilder()
          .maximumWeight(MAX_CACHED_WEIGHT)
          .weigher(ShapeDefinitions::weight)
          .build();

  /**
   * What a definition takes, of which its heap is at most about twice as much. A field or an array
   * is many times larger than its text, and so is a compiled pattern, in whose text repetitions are
   * not written out.
   *
   * @param stored the text that {@code definition} was read from
   */
  public static int weight(String stored, ShapeDefinition definition) {
    long tokens = stored.chars().filter(c -> c == '"' || c == '[').count();
    return (int)
        (stored.length()
            + tokens * WEIGHT_OF_TOKEN
            + definition.sizeOfPatterns() * WEIGHT_OF_PATTERN_PART);
  }

  /** The definition that a shape's stored data holds. */
  public ShapeDefinition of(String stored) {
    return definitions.get(
        stored,
        text ->
            ShapeDefinition.parse(
                IJson.read(StoredJson.plain(text).getBytes(StandardCharsets.UTF_8))));
  }
}

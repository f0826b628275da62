package dev.cairn.platform;

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
  /** In characters of their stored texts. */
  private static final int CACHED = 16 * 1024 * 1024;

  private static final int BYTES_OF_PATTERN_STEP = 64;

  /** By the stored text, which is all that a definition depends on. */
  private final Cache<String, ShapeDefinition> definitions =
      Caffeine.newBuilder().maximumWeight(CACHED).weigher(ShapeDefinitions::weight).build();

  /** A compiled pattern is larger than its text, in which repetitions are not written out. */
  private static int weight(String stored, ShapeDefinition definition) {
    return (int) (stored.length() + definition.sizeOfPatterns() * BYTES_OF_PATTERN_STEP);
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

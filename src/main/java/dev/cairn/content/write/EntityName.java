package dev.cairn.content.write;

import java.util.Comparator;

/**
 * The name of an entity in its repository: {@code shapeName/name}. It has an order so that sets of
 * names that somebody has chosen to have the same hash are searched in no more than logarithmic
 * time.
 */
public record EntityName(String shapeName, String name) implements Comparable<EntityName> {
  private static final Comparator<EntityName> ORDER =
      Comparator.comparing(EntityName::name).thenComparing(EntityName::shapeName);

  @Override
  public int compareTo(EntityName other) {
    return ORDER.compare(this, other);
  }
}

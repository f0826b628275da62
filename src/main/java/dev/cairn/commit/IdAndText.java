package dev.cairn.commit;

import dev.cairn.content.write.EntityName;

/**
 * A text that belongs to an entity: a name to its shape, a reference to what refers. It has an
 * order for the same reason as {@link EntityName}.
 */
record IdAndText(long id, String text) implements Comparable<IdAndText> {
  @Override
  public int compareTo(IdAndText other) {
    int byText = text.compareTo(other.text);
    return byText == 0 ? Long.compare(id, other.id) : byText;
  }
}

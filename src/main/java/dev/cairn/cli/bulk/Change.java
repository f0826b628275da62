package dev.cairn.cli.bulk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What one item of the input asks for.
 *
 * <p>An operation of the user's own is sent as it is. A row or a line of an export says how an
 * entity should be: it is sent as an add, as a revise, or not at all, whatever is found when it is
 * {@linkplain Lookups looked up}.
 *
 * <p>It has text and no parsed data: of that, a segment would take many times as much memory.
 *
 * @param file the index of the file among those of the command
 * @param line the line of that file, from 1
 * @param wref the entity, without a version; null if the operation is malformed
 * @param isEntity whether it says how an entity should be
 * @param operation what the operation of the user's own is, such as {@code rename}; {@code add} for
 *     an entity
 * @param text the operation, or the add for the entity, as JSON on one line
 */
record Change(int file, long line, String wref, boolean isEntity, String operation, String text) {
  static Change entity(int file, long line, String wref, ObjectNode add) {
    return new Change(file, line, wref, true, "add", Json.text(add));
  }

  static Change operation(int file, long line, String wref, String operation, String text) {
    return new Change(file, line, wref, false, operation, text);
  }

  /** The operation, or the add for the entity. */
  ObjectNode parsed() {
    try {
      return (ObjectNode) Json.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether it is a collection, whose data never changes. */
  boolean isCollection() {
    return wref.startsWith("Pair/")
        || wref.startsWith("Triple/")
        || wref.startsWith("Set/")
        || wref.startsWith("List/");
  }
}

package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One object of the input.
 *
 * @param line the line of the file on which it begins, from 1
 * @param object the object; null if the line is at fault
 * @param text the JSON that was read, on one line; null if it must be written from the object
 * @param fault why the line cannot be imported, as a sentence; null if it can
 */
record Item(long line, ObjectNode object, String text, String fault) {
  static Item of(long line, ObjectNode object) {
    return new Item(line, object, null, null);
  }

  static Item of(long line, ObjectNode object, String text) {
    return new Item(line, object, text, null);
  }

  static Item faulty(long line, String fault) {
    return new Item(line, null, null, fault);
  }

  boolean isFaulty() {
    return fault != null;
  }
}

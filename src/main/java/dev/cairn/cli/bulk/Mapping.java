package dev.cairn.cli.bulk;

import java.util.Optional;

/** Turns the items of an input into changes. */
@FunctionalInterface
interface Mapping {
  /**
   * The change that an item asks for.
   *
   * @param file the index of its file
   * @return empty if it is left out, because only the service writes such entities
   * @throws InputFault if it cannot be imported
   */
  Optional<Change> map(int file, Item item) throws InputFault;
}

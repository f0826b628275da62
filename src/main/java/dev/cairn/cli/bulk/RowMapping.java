package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Plain rows, each of which becomes an entity of one shape. */
final class RowMapping implements Mapping {
  private final String shape;
  private final KeyTemplate key;
  private final KeyTemplate about;
  private final CellTypes cells;

  /**
   * Begins.
   *
   * @param key the name of each entity, without the shape
   * @param about the wref that each is about; null for things
   * @param cells the types of cells; null if the rows are JSON, which has types
   */
  RowMapping(String shape, KeyTemplate key, KeyTemplate about, CellTypes cells) {
    this.shape = shape;
    this.key = key;
    this.about = about;
    this.cells = cells;
  }

  @Override
  public Optional<Change> map(int file, Item item) throws InputFault {
    var name = name(item.object());
    ObjectNode add = Json.MAPPER.createObjectNode();
    add.put("operation", "add");
    add.put("kind", about == null ? "thing" : "assertion");
    add.put("name", shape + "/" + name);
    if (about != null) {
      add.put("about", about.render(item.object()));
    }
    add.set("data", cells == null ? item.object() : cells.apply(item.object()));
    return Optional.of(Change.entity(file, item.line(), shape + "/" + name, add));
  }

  private String name(ObjectNode row) throws InputFault {
    var name = NameRule.normalize(key.render(row));
    var violation = NameRule.violation(name);
    if (violation.isPresent()) {
      var excerpt = name.length() > 80 ? name.substring(0, 80) + "…" : name;
      throw new InputFault(
          "The key `%s` cannot be a name: %s.".formatted(excerpt, violation.get()));
    }
    return name;
  }
}

package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Plain rows, each of which becomes an entity of one shape. */
final class RowMapping implements Mapping {
  private final String shape;
  private final KeyTemplate key;
  private final KeyTemplate about;
  private final CellTypes types;
  private final boolean areCells;

  /**
   * Begins.
   *
   * @param key the name of each entity, without the shape
   * @param about the wref that each is about; null for things
   * @param types what the shape declares
   * @param areCells whether the values are texts of a CSV file, which get these types
   */
  RowMapping(String shape, KeyTemplate key, KeyTemplate about, CellTypes types, boolean areCells) {
    this.shape = shape;
    this.key = key;
    this.about = about;
    this.types = types;
    this.areCells = areCells;
  }

  @Override
  public Optional<Change> map(int file, Item item) throws InputFault {
    var name = name(item.object());
    ObjectNode add = Json.MAPPER.createObjectNode();
    add.put("operation", "add");
    add.put("kind", about == null ? "thing" : "assertion");
    add.put("name", shape + "/" + name);
    if (about != null) {
      add.put("about", target(item.object()));
    }
    add.set("data", areCells ? types.apply(item.object()) : types.check(item.object()));
    return Optional.of(Change.entity(file, item.line(), shape + "/" + name, add));
  }

  private String target(ObjectNode row) throws InputFault {
    var target = about.render(row);
    if (target.startsWith("$")) {
      throw new InputFault("`%s` cannot be what an assertion is about.".formatted(target));
    }
    return target;
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

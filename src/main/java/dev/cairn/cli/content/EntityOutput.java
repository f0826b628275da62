package dev.cairn.cli.content;

import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Item;
import dev.cairn.client.Thing;
import java.util.List;

/** How entities are shown. */
final class EntityOutput {
  private EntityOutput() {}

  /**
   * A list.
   *
   * @param fields a column for each; if there is none, one for the whole payload
   * @param withState whether retracted entities may be among them
   */
  static Table<Item> table(List<String> fields, boolean withState) {
    var table =
        new Table<Item>()
            .text("WREF", Item::wref, item -> isRetracted(item.active()) ? Style.DIM : null)
            .number("VERSION", Item::version);
    if (withState) {
      table.text("STATE", item -> isRetracted(item.active()) ? "retracted" : "active");
    }
    table.text("ABOUT", Item::aboutWref);
    if (fields.isEmpty()) {
      return table.text("DATA", item -> Data.line(item.data()));
    }
    for (var field : fields) {
      table.text(field, item -> Data.at(item.data(), field));
    }
    return table;
  }

  private static boolean isRetracted(Boolean active) {
    return active != null && !active;
  }

  /** One entity with its payload. */
  static Details details(Thing thing) {
    var details =
        new Details()
            .add("Wref", thing.wref(), Style.BOLD)
            .add("Kind", thing.kind())
            .add("Version", thing.version())
            .add("State", thing.active() ? null : "retracted", Style.YELLOW)
            .add("About", thing.aboutWref())
            .add("Author", thing.author())
            .time("Created", thing.createdAt())
            .time("Updated", thing.updatedAt());
    Data.add(details, thing.data());
    return details;
  }

  /** One entity of a list with its payload. */
  static Details details(Item item) {
    var details =
        new Details()
            .add("Wref", item.wref(), Style.BOLD)
            .add("Kind", item.kind())
            .add("Version", item.version())
            .add("State", isRetracted(item.active()) ? "retracted" : null, Style.YELLOW)
            .add("About", item.aboutWref());
    Data.add(details, item.data());
    return details;
  }
}

package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Lines of an export of Cairn: {@code docs/export.md}, Lines. */
final class ExportMapping implements Mapping {
  /** What only the service writes. */
  private static final String INSTALLS = "ComponentInstall/";

  @Override
  public Optional<Change> map(int file, Item item) throws InputFault {
    var line = item.object();
    var wref = line.path("wref").asText("");
    if (wref.isEmpty() || !line.path("data").isObject() || !line.path("kind").isTextual()) {
      throw new InputFault("The line is not of an export: it needs `kind`, `wref` and `data`.");
    }
    if (wref.startsWith(INSTALLS)) {
      return Optional.empty();
    }
    ObjectNode add = Json.MAPPER.createObjectNode();
    add.put("operation", "add").set("kind", line.get("kind"));
    add.put("name", wref).set("data", line.get("data"));
    if (line.path("aboutWref").isTextual()) {
      add.set("about", line.get("aboutWref"));
    }
    return Optional.of(Change.entity(file, item.line(), wref, add));
  }
}

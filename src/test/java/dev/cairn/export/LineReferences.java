package dev.cairn.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.DataValidator;
import dev.cairn.model.Link;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.ValidationBudget;
import dev.cairn.model.Wref;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What lines of an export refer to in their repository, as far as the export tells. */
final class LineReferences {
  private final Map<String, ShapeDefinition> shapes = new HashMap<>();

  LineReferences(List<ObjectNode> lines) {
    for (var shape : BuiltinShape.values()) {
      shapes.put(shape.shapeName(), ShapeDefinition.parse(Exports.read(shape.definition())));
    }
    for (var line : lines) {
      if (line.get("kind").textValue().equals("shape")) {
        shapes.put(line.get("name").textValue(), ShapeDefinition.parse(line.get("data")));
      }
    }
  }

  /** The {@code Shape/name} of each; what has a version is none, since local ones have none. */
  Set<String> of(ObjectNode line) {
    var found = new TreeSet<String>();
    if (line.has("aboutWref")) {
      add(found, line.get("aboutWref").textValue());
    }
    var data = line.get("data");
    addAll(found, shapes.get(line.get("shapeName").textValue()), data);
    // What stands in a list beside references into other repositories.
    ForeignReferences.definition(data)
        .ifPresent(definition -> addAll(found, ShapeDefinition.parse(definition), data));
    return found;
  }

  private static void addAll(Set<String> found, ShapeDefinition shape, JsonNode data) {
    if (shape != null) {
      DataValidator.validate(shape, data, ValidationBudget.ofCommit())
          .references()
          .forEach(reference -> add(found, reference.node().textValue()));
    }
  }

  private static void add(Set<String> found, String text) {
    if (Link.parse(text) instanceof Link.To(Wref wref)
        && wref.isLocal()
        && wref.modifier() instanceof Wref.Modifier.None) {
      found.add(wref.local());
    }
  }
}

package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was seen of objects in one position. */
final class ObservedObject {
  /** Objects with more fields than this are maps, whose keys are data. */
  private static final int MAX_FIELDS = 1001;

  private final Map<String, ObservedValue> values = new LinkedHashMap<>();
  private long count;
  private boolean hasOddNames;

  void observe(ObjectNode object, boolean areCells) {
    count++;
    for (var member : object.properties()) {
      if (!FieldNames.isValid(member.getKey())) {
        hasOddNames = true;
      } else if (values.containsKey(member.getKey()) || values.size() < MAX_FIELDS) {
        var value = values.computeIfAbsent(member.getKey(), _ -> new ObservedValue());
        if (areCells) {
          value.observeCell(member.getValue().asText());
        } else {
          value.observe(member.getValue());
        }
      }
    }
  }

  /** How many fields it has, with those within them. */
  int fields() {
    return values.values().stream().mapToInt(value -> 1 + value.fields()).sum();
  }

  /**
   * Whether nested fields describe it: not if a key cannot be a field's name, or if the definition
   * would be read as that of one value because it has a field named {@code type}.
   */
  boolean canBeNested() {
    return !hasOddNames && !values.isEmpty() && !values.containsKey("type") && fields() <= 100;
  }

  /** Its fields; those that are not in every object, or null in one, are optional. */
  ObjectNode definition() {
    ObjectNode fields = Json.MAPPER.createObjectNode();
    values.forEach(
        (name, value) -> fields.set(value.isIn(count) ? name : name + "?", value.type()));
    return fields;
  }
}

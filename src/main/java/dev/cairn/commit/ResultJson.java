package dev.cairn.commit;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.cairn.model.Problem;
import java.io.IOException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The result of an operation as JSON, the same in the answers of commits and of streams. */
final class ResultJson {
  private ResultJson() {}

  /**
   * Writes the members of a result, besides what says which operation it is of.
   *
   * @param operation the pointer to the operation, which those of an error begin with
   */
  static void write(JsonGenerator json, OperationResult result, String operation)
      throws IOException {
    json.writeStringField("status", result.status().name().toLowerCase(Locale.ROOT));
    if (result.operation() != null) {
      json.writeStringField("operation", result.operation());
    }
    if (result.problem() == null) {
      var wref = result.wref();
      json.writeStringField("wref", wref);
      json.writeStringField("name", wref.substring(wref.indexOf('/') + 1));
      json.writeStringField("kind", result.entity().kind.wire());
      json.writeNumberField("version", result.version());
      json.writeStringField("dataHash", HexFormat.of().formatHex(result.dataHash()));
    } else {
      json.writeFieldName("error");
      error(json, result.problem().under(operation));
    }
    if (!result.warnings().isEmpty()) {
      json.writeArrayFieldStart("warnings");
      for (var warning : result.warnings()) {
        json.writeString(warning);
      }
      json.writeEndArray();
    }
  }

  /** Writes a problem as an object. */
  static void error(JsonGenerator json, Problem problem) throws IOException {
    json.writeStartObject();
    json.writeStringField("code", problem.code().name());
    json.writeStringField("detail", problem.detail());
    var details = new LinkedHashMap<String, Object>(problem.details());
    if (!problem.errors().isEmpty()) {
      details.put(
          "errors",
          problem.errors().stream()
              .map(e -> Map.of("pointer", e.pointer(), "detail", e.detail()))
              .toList());
    }
    if (!details.isEmpty()) {
      json.writeFieldName("details");
      value(json, details);
    }
    if (problem.hint() != null) {
      json.writeStringField("hint", problem.hint());
    }
    json.writeEndObject();
  }

  private static void value(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (var entry : map.entrySet()) {
          json.writeFieldName(entry.getKey().toString());
          value(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case Iterable<?> list -> {
        json.writeStartArray();
        for (var item : list) {
          value(json, item);
        }
        json.writeEndArray();
      }
      case Number number -> json.writeNumber(number.longValue());
      default -> json.writeString(value.toString());
    }
  }
}

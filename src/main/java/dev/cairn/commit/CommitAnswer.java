package dev.cairn.commit;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The answer to a batch, as every door gives it.
 *
 * @param status the HTTP status: 201 for a commit, 200 where none was made
 * @param json the body
 */
public record CommitAnswer(Outcome outcome, int status, String json) {
  private static final int CREATED = 201;
  private static final int OK = 200;

  /** What became of a batch that was not refused. */
  public enum Outcome {
    COMMITTED,
    /** It changed nothing, or was only to be tried. */
    UNCHANGED,
    /** It was answered before, under the same key. */
    REPLAYED
  }

  /** The answer of a commit that was made. */
  static CommitAnswer of(Commit commit, CommitPlan plan) {
    return new CommitAnswer(
        Outcome.COMMITTED,
        CREATED,
        text(
            json -> {
              json.writeStringField("commitId", commit.commitId());
              json.writeNumberField("repoSeq", commit.seq());
              json.writeStringField("author", commit.author());
              if (commit.message() != null) {
                json.writeStringField("message", commit.message());
              }
              json.writeNumberField("createdAt", commit.createdAt().toEpochMilli());
              results(json, plan);
            }));
  }

  /** The answer where nothing was written. */
  static CommitAnswer withoutCommit(CommitPlan plan) {
    return new CommitAnswer(Outcome.UNCHANGED, OK, text(json -> results(json, plan)));
  }

  @FunctionalInterface
  private interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  private static String text(Body body) {
    var out = new StringWriter();
    try (var json = IJson.factory().createGenerator(out)) {
      json.writeStartObject();
      body.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }

  private static void results(JsonGenerator json, CommitPlan plan) throws IOException {
    json.writeNumberField("operationCount", plan.results.size());
    if (plan.hasErrors()) {
      json.writeBooleanField("partial", true);
    }
    json.writeArrayFieldStart("operations");
    for (var result : plan.results) {
      write(json, result);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, OperationResult result) throws IOException {
    json.writeStartObject();
    json.writeNumberField("opIndex", result.opIndex());
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
      error(json, result.problem().under("/operations/" + result.opIndex()));
    }
    if (!result.warnings().isEmpty()) {
      json.writeArrayFieldStart("warnings");
      for (var warning : result.warnings()) {
        json.writeString(warning);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void error(JsonGenerator json, Problem problem) throws IOException {
    json.writeObjectFieldStart("error");
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

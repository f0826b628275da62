package dev.cairn.model.filter;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Names;
import dev.cairn.model.Nfc;
import dev.cairn.model.Problem;
import dev.cairn.model.filter.OperationFilter.Condition;
import dev.cairn.model.glob.Glob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads an {@link OperationFilter}, checks its limits and estimates its memory. */
final class OperationFilterParser {
  static final String COLLECTION = "collection";

  private static final int MAX_DEPTH = 8;
  private static final int MAX_FILTERS = 200;
  private static final int MAX_TEXTS = 100;
  private static final int MAX_CHARACTERS = 4_096;
  private static final int MAX_PATTERNS = 10;
  private static final int BYTES_OF_FILTER = 400;
  private static final int BYTES_OF_TEXT = 120;
  private static final List<String> OPERATIONS = List.of("add", "revise", "retract", "rename");
  private static final List<String> KINDS = List.of("shape", "thing", "assertion", COLLECTION);

  /** This one, and all in {@code all}, {@code any} and {@code not}. */
  private int filters;

  private int texts;
  private int characters;
  private int patterns;
  private int bytesOfPatterns;
  private boolean namesOperation;
  private boolean namesShapes;

  OperationFilter parse(JsonNode json) {
    var condition = object(json, "", 1);
    int bytes = BYTES_OF_FILTER * filters + BYTES_OF_TEXT * texts + bytesOfPatterns;
    return new OperationFilter(condition, namesOperation, namesShapes, bytes);
  }

  private Condition object(JsonNode json, String pointer, int depth) {
    if (json == null || !json.isObject()) {
      throw Problem.invalid(pointer, "A filter must be a JSON object.");
    }
    if (depth > MAX_DEPTH) {
      throw Problem.invalid(
          pointer, "`all`, `any` and `not` may nest at most %d deep.".formatted(MAX_DEPTH - 1));
    }
    if (++filters > MAX_FILTERS) {
      throw Problem.invalid(
          pointer, "A filter may have at most %d filters, itself included.".formatted(MAX_FILTERS));
    }
    var parts = new ArrayList<Condition>();
    for (var member : json.properties()) {
      var at = IJson.pointer(pointer, member.getKey());
      parts.add(member(member.getKey(), member.getValue(), at, depth));
    }
    // Expensive conditions are evaluated last.
    parts.sort(Comparator.comparing(part -> part instanceof Condition.Matches));
    return parts.size() == 1 ? parts.getFirst() : new Condition.All(List.copyOf(parts));
  }

  private Condition member(String name, JsonNode value, String pointer, int depth) {
    return switch (name) {
      case "operation" -> operations(value, pointer);
      case "kind" -> kinds(value, pointer);
      case "shape" -> new Condition.Shapes(shapes(value, pointer));
      case "name" -> new Condition.Named(names(value, pointer));
      case "match" -> new Condition.Matches(patterns(value, pointer));
      case "all" -> new Condition.All(list(value, pointer, depth));
      case "any" -> new Condition.Any(list(value, pointer, depth));
      case "not" -> new Condition.Not(object(value, pointer, depth + 1));
      default ->
          throw Problem.invalid(pointer, "A filter has no member `" + Excerpt.of(name) + "`.")
              .hint("Known here: operation, kind, shape, name, match, all, any, not.");
    };
  }

  private Condition operations(JsonNode value, String pointer) {
    namesOperation = true;
    return new Condition.Operations(values(value, pointer, "operation", OPERATIONS));
  }

  private Condition kinds(JsonNode value, String pointer) {
    var kinds = values(value, pointer, "kind", KINDS);
    namesShapes |= kinds.contains("shape");
    return new Condition.Kinds(kinds);
  }

  private Set<String> values(JsonNode value, String pointer, String member, List<String> known) {
    var values = new LinkedHashSet<String>();
    each(
        value,
        pointer,
        (text, at) -> {
          if (!known.contains(text)) {
            throw Problem.invalid(
                at, "`%s` must be one of %s.".formatted(member, String.join(", ", known)));
          }
          values.add(text);
        });
    return Set.copyOf(values);
  }

  private Set<String> shapes(JsonNode value, String pointer) {
    var names = new LinkedHashSet<String>();
    each(
        value,
        pointer,
        (text, at) -> {
          try {
            names.add(Names.shape(text));
          } catch (Problem e) {
            throw e.at(at);
          }
        });
    return Set.copyOf(names);
  }

  private Set<String> names(JsonNode value, String pointer) {
    var names = new LinkedHashSet<String>();
    each(
        value,
        pointer,
        (text, at) -> {
          if (text.isEmpty()) {
            throw Problem.invalid(at, "`name` must be a wref or a local name, and not empty.");
          }
          try {
            names.add(Nfc.of(text));
          } catch (Problem e) {
            throw e.at(at);
          }
        });
    return Set.copyOf(names);
  }

  private List<Glob> patterns(JsonNode value, String pointer) {
    var read = new ArrayList<Glob>();
    each(
        value,
        pointer,
        (text, at) -> {
          if (++patterns > MAX_PATTERNS) {
            throw Problem.invalid(at, "A filter may have at most " + MAX_PATTERNS + " patterns.");
          }
          try {
            var glob = Glob.parse(text);
            bytesOfPatterns += glob.bytes();
            read.add(glob);
          } catch (Problem e) {
            throw e.at(at);
          }
        });
    return List.copyOf(read);
  }

  /** Takes one text and the pointer to it. */
  private interface TextConsumer {
    void accept(String text, String pointer);
  }

  /** Reads a string, or an array of at least one string. */
  private void each(JsonNode value, String pointer, TextConsumer consumer) {
    if (value.isTextual()) {
      text(value, pointer, consumer);
      return;
    }
    if (!value.isArray() || value.isEmpty()) {
      throw Problem.invalid(
          pointer, "The value must be a string or an array of at least one string.");
    }
    for (int i = 0; i < value.size(); i++) {
      text(value.get(i), IJson.pointer(pointer, i), consumer);
    }
  }

  private void text(JsonNode value, String pointer, TextConsumer consumer) {
    if (!value.isTextual()) {
      throw Problem.invalid(pointer, "The value must be a string.");
    }
    texts++;
    characters += value.textValue().length();
    if (texts > MAX_TEXTS || characters > MAX_CHARACTERS) {
      throw Problem.invalid(
          pointer,
          "A filter may have at most %d texts, with %,d characters together."
              .formatted(MAX_TEXTS, MAX_CHARACTERS));
    }
    consumer.accept(value.textValue(), pointer);
  }

  private List<Condition> list(JsonNode value, String pointer, int depth) {
    if (!value.isArray() || value.isEmpty()) {
      throw Problem.invalid(pointer, "The value must be an array of at least one filter.");
    }
    var parts = new ArrayList<Condition>();
    for (int i = 0; i < value.size(); i++) {
      parts.add(object(value.get(i), IJson.pointer(pointer, i), depth + 1));
    }
    return List.copyOf(parts);
  }
}

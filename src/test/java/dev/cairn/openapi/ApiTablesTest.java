package dev.cairn.openapi;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.docs.DocsPage;
import dev.cairn.docs.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tables of the docs that list what the document describes. The mark of a table says what it
 * lists: {@code parameters of search like query} are those in the query of an operation, by its id,
 * those that it shares with another one in one row; {@code members of CommitRequest} are those of a
 * schema; {@code requests of subscriptions} are the operations of a tag, with {@code below} those
 * whose paths begin so.
 */
class ApiTablesTest {
  private static final Path DOCS = Path.of("docs");
  private static final Pattern MARK =
      Pattern.compile("(parameters|members|requests) of (\\w+)(?: (?:like|below) (\\S+))?");

  /** A page and, if one is named, a section of it. */
  private static final Pattern REFERENCE =
      Pattern.compile("`docs/([a-z-]+\\.md)`(?:, ([A-Z][A-Za-z -]*))?");

  /** How many there are: a mark that is removed by mistake would leave a table by hand. */
  private static final int TABLES = 19;

  /** How many members an object may have that is shown in a cell. */
  private static final int FEW = 7;

  private static final List<String> OF_PAGES = List.of("limit", "cursor");

  /** The greatest number of a schema that limits nothing but the type. */
  private static final int UNLIMITED = Integer.MAX_VALUE;

  private static final JsonNode BOOLEANS =
      JsonNodeFactory.instance.arrayNode().add(true).add(false);

  private final OpenApi api = OpenApi.get();

  @Test
  void the_tables_list_what_the_document_describes() throws IOException {
    try (var files = Files.list(DOCS)) {
      var parts =
          files
              .filter(file -> file.toString().endsWith(".md"))
              .flatMap(page -> GeneratedPart.named(page, ApiTablesTest.class).stream())
              .toList();
      assertEquals(TABLES, parts.size());
      parts.forEach(part -> part.check(table(part)));
    }
  }

  private String table(GeneratedPart part) {
    var mark = MARK.matcher(part.name());
    if (!mark.matches()) {
      throw new IllegalStateException("there is no table of " + part.name());
    }
    var name = mark.group(2);
    return switch (mark.group(1)) {
      case "members" -> members(part.page(), api.root().at("/components/schemas/" + name));
      case "requests" -> requests(part.page(), name, Objects.requireNonNullElse(mark.group(3), ""));
      default -> parameters(part.page(), api.operation(name), mark.group(3));
    };
  }

  private String requests(Path page, String tag, String below) {
    var shown = new HashSet<JsonNode>();
    var rows = new ArrayList<String>();
    for (var operation : api.operations()) {
      var path = operation.path().replaceAll("\\{(\\w+)}", ":$1");
      if (operation.node().at("/tags/0").asText().equals(tag) && path.startsWith(below)) {
        var request = "`%s %s`".formatted(operation.verb(), path.substring(below.length()));
        var body = schema(operation.node().path("requestBody"));
        rows.add(row(request, body(page, body), answers(operation, shown)));
      }
    }
    return "| Request | Body | Answer |\n|---|---|---|\n" + String.join("\n", rows);
  }

  /** The schema of a body in JSON, which is missing if there is none. */
  private JsonNode schema(JsonNode message) {
    var media = api.resolved(message).path("content").path(OpenApi.JSON);
    return api.resolved(media.path("schema"));
  }

  /** The members of a body; if they are many, the section about them. */
  private static String body(Path page, JsonNode schema) {
    return schema.path("properties").size() > FEW
        ? "see " + link(page, schema.get("description").asText())
        : object(schema);
  }

  /** What the answers are, and their members unless they are many or {@code shown} already. */
  private String answers(OpenApi.Operation operation, Set<JsonNode> shown) {
    var answers = new ArrayList<String>();
    for (var answer : operation.node().get("responses").properties()) {
      if (answer.getKey().startsWith("2")) {
        var schema = schema(answer.getValue());
        int size = schema.path("properties").size();
        boolean isNew = size <= 2 || shown.add(schema);
        boolean isPage = schema.at("/properties/nextCursor").isObject();
        var object = isNew && !isPage && size <= FEW ? object(schema) : "";
        answers.add((answer.getKey() + " " + object).strip() + ": " + meaning(answer.getValue()));
      }
    }
    return String.join("; ", answers);
  }

  /** The members of an object, a sign for an array, or nothing for another schema. */
  private static String object(JsonNode schema) {
    if (type(schema).equals("array")) {
      return "`[ … ]`";
    }
    var members = new ArrayList<String>();
    for (var member : schema.path("properties").properties()) {
      var value = member.getValue().path("const");
      members.add(
          "\"%s\"%s%s"
              .formatted(
                  member.getKey(),
                  isRequired(schema, member.getKey()) ? "" : "?",
                  value.isMissingNode() ? "" : ": " + value));
    }
    return members.isEmpty() ? "" : "`{ " + String.join(", ", members) + " }`";
  }

  /** Of a request it says which members are required, of an answer which are optional. */
  private String members(Path page, JsonNode schema) {
    boolean isRequest = schema.has("additionalProperties");
    var rows = new ArrayList<String>();
    for (var member : schema.get("properties").properties()) {
      var described = api.described(member.getValue());
      var value = value(described, "items");
      boolean isRequired = isRequired(schema, member.getKey());
      rows.add(
          row(
              "`" + member.getKey() + "`",
              isRequired == isRequest ? with(isRequest ? "required" : "optional", value) : value,
              meaning(page, described)));
    }
    return "| Member | Value | Meaning |\n|---|---|---|\n" + String.join("\n", rows);
  }

  private static boolean isRequired(JsonNode schema, String member) {
    return schema.path("required").valueStream().anyMatch(one -> one.asText().equals(member));
  }

  private String parameters(Path page, OpenApi.Operation operation, String like) {
    var own = new ArrayList<>(query(operation));
    var ofPages = own.stream().filter(p -> OF_PAGES.contains(p.get("name").asText())).toList();
    own.removeAll(ofPages);
    var shared = new ArrayList<JsonNode>();
    if (like != null) {
      shared.addAll(query(api.operation(like)));
      shared.retainAll(own);
      own.removeAll(shared);
    }
    var rows = new ArrayList<String>();
    own.forEach(parameter -> rows.add(row(page, parameter)));
    if (!shared.isEmpty()) {
      var there = api.operation(like).node().get("description").asText();
      rows.add(row(names(shared), "", "As in " + link(page, there)));
    }
    if (!ofPages.isEmpty()) {
      rows.add(row(names(ofPages), "", "[Pagination](api.md#pagination-cursors-and-page-size)"));
    }
    return "| Parameter | Value | Meaning |\n|---|---|---|\n" + String.join("\n", rows);
  }

  private static List<JsonNode> query(OpenApi.Operation operation) {
    return operation.parameters().stream()
        .filter(parameter -> parameter.get("in").asText().equals("query"))
        .toList();
  }

  private String row(Path page, JsonNode parameter) {
    var value = value(api.described(parameter.get("schema")), "times");
    boolean isRequired = parameter.path("required").asBoolean();
    return row(
        names(List.of(parameter)),
        isRequired ? with("required", value) : value,
        meaning(page, parameter));
  }

  private static String names(List<JsonNode> parameters) {
    return parameters.stream().map(p -> code(p.get("name"))).collect(joining(", "));
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells).replace("|  |", "| |") + " |";
  }

  private static String with(String word, String value) {
    return value.isEmpty() ? word : word + ": " + value;
  }

  /** The description, without its last period and with links. */
  private static String meaning(Path page, JsonNode described) {
    return REFERENCE.matcher(meaning(described)).replaceAll(found -> link(page, found));
  }

  private static String meaning(JsonNode described) {
    var text = described.get("description").asText().strip().replaceAll("\\s+", " ");
    return text.replaceAll("\\.$", "");
  }

  /** The link to what a description names first. */
  private static String link(Path page, String description) {
    var references = REFERENCE.matcher(description).results();
    return link(page, references.findFirst().orElseThrow());
  }

  private static String link(Path page, MatchResult reference) {
    var file = reference.group(1);
    var section = reference.group(2);
    if (section == null) {
      return "[%s](%s)".formatted(file, file);
    }
    var target = DOCS.resolve(file);
    var anchor = new DocsPage(target).anchorOf(section).orElseThrow();
    return "[%s](%s#%s)".formatted(section, target.equals(page) ? "" : file, anchor);
  }

  /** The values that a schema allows and its default; nothing if any text is allowed. */
  private static String value(JsonNode schema, String items) {
    var byDefault = schema.path("default");
    var choices = type(schema).equals("boolean") ? BOOLEANS : schema.path("enum");
    if (!choices.isEmpty()) {
      return choices
          .valueStream()
          .map(choice -> code(choice) + (choice.equals(byDefault) ? " (default)" : ""))
          .collect(joining(", "));
    }
    var range = range(schema, items);
    var separator = range.isEmpty() ? "" : ", ";
    return byDefault.isMissingNode()
        ? range
        : range + separator + "by default " + byDefault.asText();
  }

  /** The only type besides null, or nothing. */
  private static String type(JsonNode schema) {
    var type = schema.path("type");
    boolean isNullable = type.size() == 2 && type.get(1).asText().equals("null");
    return (isNullable ? type.get(0) : type).asText();
  }

  /** From a least to a greatest number; nothing if there is no greatest one. */
  private static String range(JsonNode schema, String items) {
    return switch (type(schema)) {
      case "integer", "number" -> range(schema.path("minimum"), schema.path("maximum"), "");
      case "array" -> range(schema.path("minItems"), schema.path("maxItems"), " " + items);
      case "string" -> range(schema.path("minLength"), schema.path("maxLength"), " characters");
      default -> "";
    };
  }

  private static String range(JsonNode least, JsonNode greatest, String unit) {
    int max = greatest.asInt(UNLIMITED);
    if (max == UNLIMITED) {
      return "";
    }
    var format = least.asInt() == 0 ? "up to %2$,d%3$s" : "%1$,d to %2$,d%3$s";
    return String.format(Locale.ROOT, format, least.asInt(), max, unit);
  }

  private static String code(JsonNode value) {
    return "`" + value.asText() + "`";
  }
}

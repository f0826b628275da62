package dev.cairn.openapi;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.docs.DocsPage;
import dev.cairn.docs.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tables of the docs that list what the document describes. The mark of a table says what it
 * lists: {@code parameters of search like query} are those in the query of an operation, by its id,
 * those that it shares with another one in one row; {@code members of CommitRequest} are those of a
 * schema.
 */
class ApiTablesTest {
  private static final Path DOCS = Path.of("docs");
  private static final Pattern MARK =
      Pattern.compile("(parameters|members) of (\\w+)(?: like (\\w+))?");

  /** A page and, if one is named, a section of it. */
  private static final Pattern REFERENCE =
      Pattern.compile("`docs/([a-z-]+\\.md)`(?:, ([A-Z][A-Za-z -]*))?");

  private static final List<String> OF_PAGES = List.of("limit", "cursor");

  /** The greatest number of a schema that limits nothing but the type. */
  private static final int UNLIMITED = Integer.MAX_VALUE;

  private static final JsonNode BOOLEANS =
      JsonNodeFactory.instance.arrayNode().add(true).add(false);

  private final OpenApi api = OpenApi.get();

  @Test
  void the_tables_list_what_the_document_describes() throws IOException {
    try (var files = Files.list(DOCS)) {
      files
          .filter(file -> file.toString().endsWith(".md"))
          .flatMap(page -> GeneratedPart.named(page, ApiTablesTest.class).stream())
          .forEach(part -> part.check(table(part)));
    }
  }

  private String table(GeneratedPart part) {
    var mark = MARK.matcher(part.name());
    if (!mark.matches()) {
      throw new IllegalStateException("there is no table of " + part.name());
    }
    return mark.group(1).equals("members")
        ? members(part.page(), api.root().at("/components/schemas/" + mark.group(2)))
        : parameters(part.page(), api.operation(mark.group(2)), mark.group(3));
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
      var links = REFERENCE.matcher(there).results().map(r -> link(page, r.group(1), r.group(2)));
      rows.add(row(names(shared), "", "As in " + links.findFirst().orElseThrow()));
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
    var text = described.get("description").asText().strip().replaceAll("\\s+", " ");
    return REFERENCE
        .matcher(text.replaceAll("\\.$", ""))
        .replaceAll(found -> link(page, found.group(1), found.group(2)));
  }

  private static String link(Path page, String file, String section) {
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
    return byDefault.isMissingNode() ? range : range + ", by default " + byDefault.asText();
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

package dev.cairn.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Routes;
import dev.cairn.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * The conventions of {@code docs/api.md}, The OpenAPI document. All violations are told at once.
 */
class ConventionsTest {
  /** What an anonymous caller may get, where the repository or the organization is public. */
  private static final Set<String> PUBLIC = Set.of("repo:read", "org:read");

  /** What handlers of the router answer, and no resources. */
  private static final Set<String> HANDLERS = Set.of("GET /", "GET /llms.txt");

  private static final Pattern PAGE = Pattern.compile("`docs/([a-z-]+\\.md)`(, (\\S.*))?");

  private final OpenApi api = OpenApi.get();
  private final List<String> violations = new ArrayList<>();

  private void require(boolean holds, String place, String rule) {
    if (!holds) {
      violations.add(place + ": " + rule);
    }
  }

  private void assertNoViolations() {
    assertEquals("", String.join("\n", violations));
  }

  @Test
  void the_document_has_every_route_and_no_other() {
    var documented =
        api.operations().stream()
            .map(OpenApi.Operation::route)
            .filter(route -> !route.contains(" /q/") && !HANDLERS.contains(route))
            .collect(Collectors.toCollection(TreeSet::new));
    var routes =
        Routes.all()
            .map(route -> route.replaceAll("\\{(\\w+):[^}]*}", "{$1}").replaceAll("/+", "/"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(String.join("\n", routes), String.join("\n", documented));
  }

  /** Without an anchor it is searched for from each character on: a long path takes minutes. */
  @Test
  void a_pattern_in_a_path_is_only_tried_at_its_beginning() {
    assertEquals(
        List.of(), Routes.all().filter(route -> route.matches(".*: *+(?!\\\\G).*")).toList());
  }

  @Test
  void an_operation_says_what_it_does_and_what_it_may_answer() {
    var ids = new HashSet<String>();
    for (var operation : api.operations()) {
      var place = operation.route();
      var node = operation.node();
      require(ids.add(operation.id()), place, "operationId is taken");
      require(operation.id().matches("[a-z][A-Za-z]+"), place, "operationId is one word");
      require(node.path("tags").size() == 1, place, "one tag");
      require(node.path("summary").asText().matches("[A-Z].{5,80}[^.]"), place, "a summary");
      require(
          node.path("description").asText().contains("`docs/"), place, "a page in the description");
      checkResponses(operation);
    }
    assertNoViolations();
  }

  private void checkResponses(OpenApi.Operation operation) {
    var place = operation.route();
    var responses = operation.node().path("responses");
    require(responses.path("default").path("$ref").asText().endsWith("/Problem"), place, "default");
    require(responses.has("401"), place, "401: a bad token is refused everywhere");
    if (takesPathNames(operation)) {
      require(responses.has("404"), place, "404: it has names in its path");
    }
    if (!operation.parameters().isEmpty() && !operation.path().startsWith("/q/")) {
      require(responses.has("400"), place, "400: it has parameters");
    }
    if (operation.path().startsWith("/api/")) {
      require(responses.has("400"), place, "400: it refuses unknown parameters");
    }
    if (operation.path().startsWith("/api/repos/")) {
      require(responses.has("429"), place, "429: reads without credentials may be limited");
    }
    if (operation.node().has("requestBody")) {
      for (var status : List.of("400", "413", "415")) {
        require(responses.has(status), place, status + ": it has a body");
      }
    }
    if (!operation.node().path("x-permissions").isEmpty()) {
      require(responses.has("403"), place, "403: it needs a permission");
    }
    require(
        responses.properties().stream().anyMatch(r -> r.getKey().matches("[23]..")),
        place,
        "a success");
  }

  private static boolean takesPathNames(OpenApi.Operation operation) {
    return operation.path().contains("{");
  }

  @Test
  void an_operation_says_who_may_call_it() {
    var needed = Routes.permissions();
    for (var operation : api.operations()) {
      var node = operation.node();
      var place = operation.route();
      require(node.path("security").isArray(), place, "its own security");
      require(node.path("x-permissions").isArray(), place, "x-permissions");
      var permissions = texts(node.path("x-permissions"));
      if (!operation.path().startsWith("/q/") && !HANDLERS.contains(place)) {
        require(
            permissions.equals(needed.get(place)),
            place,
            "x-permissions as the caller matrix has them, " + needed.get(place));
      }
      boolean anonymous =
          node.path("security").isEmpty()
              || StreamSupport.stream(node.path("security").spliterator(), false)
                  .anyMatch(JsonNode::isEmpty);
      require(
          !anonymous || permissions.isEmpty() || !Collections.disjoint(PUBLIC, permissions),
          place,
          "a bearer token, since it takes " + permissions);
    }
    assertNoViolations();
  }

  @Test
  void parameters_headers_and_responses_are_described_and_parameters_have_examples() {
    for (var operation : api.operations()) {
      for (var parameter : operation.parameters()) {
        var place = operation.route() + " " + parameter.path("name").asText();
        require(parameter.has("description"), place, "a description");
        require(parameter.has("schema"), place, "a schema");
        require(parameter.has("example") || parameter.has("examples"), place, "an example");
      }
      for (var response : operation.node().path("responses").properties()) {
        checkResponse(operation, response.getKey(), api.resolved(response.getValue()));
      }
    }
    assertNoViolations();
  }

  private void checkResponse(OpenApi.Operation operation, String status, JsonNode response) {
    var place = operation.route() + " " + status;
    require(response.has("description"), place, "a description");
    for (var header : response.path("headers").properties()) {
      var described = api.resolved(header.getValue());
      require(
          described.has("description") && described.has("schema"),
          place + " " + header.getKey(),
          "a description and a schema");
    }
    for (var media : response.path("content").properties()) {
      require(media.getValue().has("schema"), place, "a schema of " + media.getKey());
      if (status.startsWith("2") && media.getKey().equals(OpenApi.JSON)) {
        require(!media.getValue().path("examples").isEmpty(), place, "an example");
      }
    }
  }

  @Test
  void every_schema_and_every_member_is_described() {
    for (var schema : api.root().at("/components/schemas").properties()) {
      checkSchema(schema.getKey(), schema.getValue());
    }
    for (var operation : api.operations()) {
      operation.node().findValues("schema").forEach(s -> checkSchema(operation.route(), s));
    }
    assertNoViolations();
  }

  private void checkSchema(String place, JsonNode schema) {
    if (schema.path("properties").isObject()) {
      require(isDescribed(schema), place, "a description");
      for (var member : schema.get("properties").properties()) {
        var at = place + "." + member.getKey();
        require(isDescribed(member.getValue()), at, "a description");
        checkSchema(at, member.getValue());
      }
      for (var required : schema.path("required")) {
        require(schema.get("properties").has(required.asText()), place, "the member " + required);
      }
    }
    checkSchemaOfItems(place, schema.path("items"));
    require(
        schema.has("$ref") || schema.has("type") || schema.has("oneOf") || schema.has("const"),
        place,
        "a type");
  }

  private void checkSchemaOfItems(String place, JsonNode items) {
    if (items.isObject()) {
      checkSchema(place + "[]", items);
    }
  }

  private boolean isDescribed(JsonNode schema) {
    return schema.has("description") || api.resolved(schema).has("description");
  }

  @Test
  void the_pages_and_sections_that_it_names_are_there() throws IOException {
    var matcher = PAGE.matcher(OpenApi.text().replaceAll("\\s+#? *", " ").replace("See ", "\n"));
    while (matcher.find()) {
      var page = Path.of("docs", matcher.group(1));
      require(Files.exists(page), page.toString(), "is a page");
      if (matcher.group(2) != null && Files.exists(page)) {
        var section = matcher.group(3);
        require(
            Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceAll("^#+ |: .*", ""))
                .anyMatch(section::startsWith),
            page.toString(),
            "has the section " + section.substring(0, Math.min(60, section.length())));
      }
    }
    assertNoViolations();
  }

  @Test
  void the_codes_and_permissions_are_those_of_the_service() {
    assertEquals(
        Arrays.stream(ErrorCode.values()).map(Enum::name).collect(Collectors.toSet()),
        texts(api.root().at("/components/schemas/Problem/properties/code/examples")));
    var permissions = new TreeSet<String>();
    Routes.permissions().values().forEach(permissions::addAll);
    require(
        texts(api.root().at("/components/schemas/Permission/enum")).containsAll(permissions),
        "Permission",
        "every permission of the matrix");
    assertNoViolations();
  }

  @Test
  void every_example_is_valid_by_its_schema() {
    for (var operation : api.operations()) {
      operation.parameters().forEach(p -> checkExamples(operation.route(), p));
      checkMedia(operation.route(), api.resolved(operation.node().path("requestBody")));
      for (var response : operation.node().path("responses").properties()) {
        checkMedia(operation.route() + " " + response.getKey(), api.resolved(response.getValue()));
      }
    }
    assertNoViolations();
  }

  private void checkMedia(String place, JsonNode message) {
    for (var media : message.path("content").properties()) {
      checkExamples(place, media.getValue());
    }
  }

  private void checkExamples(String place, JsonNode holder) {
    if (holder.has("example")) {
      checkExample(place, holder.get("schema"), holder.get("example"));
    }
    for (var example : holder.path("examples").properties()) {
      var at = place + " " + example.getKey();
      require(example.getValue().has("summary"), at, "a summary");
      checkExample(at, holder.get("schema"), example.getValue().path("value"));
    }
  }

  private void checkExample(String place, JsonNode schema, JsonNode value) {
    api.violations(schema, value).forEach(violation -> violations.add(place + " " + violation));
    if (value.path("type").asText().startsWith("urn:cairn:error:")) {
      var code = ErrorCode.valueOf(value.path("code").asText());
      require(
          value.path("type").asText().equals("urn:cairn:error:" + code.name())
              && value.path("title").asText().equals(code.title())
              && value.path("status").asInt() == code.status(),
          place,
          "the type, title and status of " + code);
    }
  }

  private static Set<String> texts(JsonNode array) {
    var texts = new LinkedHashSet<String>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}

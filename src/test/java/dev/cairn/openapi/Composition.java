package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Composes the OpenAPI document from {@code src/main/openapi}, which has only what is particular to
 * each operation. What the operations of a kind share is added here: problems, headers, parameters
 * of pages and of conditional requests, security. What the sources may have is in {@code
 * docs/api.md}, The OpenAPI document. Unknown members of files, operations and answers are an
 * {@link IllegalArgumentException}; parameters and schemas are checked by the linter of the
 * document.
 */
final class Composition {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String CONDITIONAL = "conditional";
  private static final String LIMITED = "limited";
  private static final Set<String> TRAITS =
      Set.of("anonymous", "public", "own", CONDITIONAL, "paged", "linked", LIMITED);

  private final Map<String, JsonNode> sources;
  private final JsonNode recorded;
  private final SchemaNotation schemas;
  private final Map<String, JsonNode> parameters;
  private final ObjectNode document = NODES.objectNode();

  /** The names of headers by those of the components that describe them. */
  private final Map<String, String> headerNames = new HashMap<>();

  /**
   * For one composition.
   *
   * @param sources what is written by hand, by the names of the files
   * @param recorded the document of before, which has the values of the examples that are recorded
   */
  Composition(Map<String, JsonNode> sources, JsonNode recorded) {
    this.sources = sources;
    this.recorded = recorded;
    this.schemas = new SchemaNotation(named("schemas"));
    this.parameters = named("parameters");
  }

  /** What all files have in a section. */
  private Map<String, JsonNode> named(String section) {
    var named = new HashMap<String, JsonNode>();
    for (var file : sources.values()) {
      file.path(section).properties().forEach(one -> named.put(one.getKey(), one.getValue()));
    }
    return named;
  }

  /** The whole document. */
  ObjectNode document() {
    var shared = new Members("shared", sources.get("shared"));
    document.put("openapi", "3.1.0");
    List.of("info", "servers", "security").forEach(name -> document.set(name, shared.take(name)));
    document.putArray("tags");
    document.putObject("paths");
    var components = document.putObject("components");
    components.set("securitySchemes", shared.take("securitySchemes"));
    List.of("parameters", "headers", "requestBodies", "responses", "schemas")
        .forEach(components::putObject);
    headers(shared.take("headers"));
    var problems = components(shared);
    var order = shared.takeList("files");
    shared.requireNoMore();
    for (var name : order) {
      file(name, new Members(name, sources.get(name)), problems);
    }
    return document;
  }

  private void headers(JsonNode headers) {
    for (var header : headers.properties()) {
      var described = schemas.inFull(header.getValue());
      var name = described.remove("name");
      headerNames.put(header.getKey(), name == null ? header.getKey() : name.asText());
      component("headers", header.getKey(), described);
    }
  }

  private void file(String name, Members file, Map<String, String> sharedProblems) {
    var tag = file.takeText("tag", name);
    var description = file.take("description");
    if (!description.isMissingNode()) {
      var described = document.withArray("/tags").addObject().put("name", tag);
      described.set("description", description);
    }
    var problems = new HashMap<>(sharedProblems);
    problems.putAll(components(file));
    for (var operation : file.take("operations").properties()) {
      operation(
          tag, new Members(operation.getKey(), operation.getValue()), operation.getKey(), problems);
    }
    file.requireNoMore();
  }

  /**
   * Adds the components of a file.
   *
   * @return the responses among them that are the usual ones with an error status, by the status
   */
  private Map<String, String> components(Members file) {
    for (var parameter : file.take("parameters").properties()) {
      component(
          "parameters",
          parameter.getKey(),
          parameter(parameter.getKey(), parameter.getValue(), ""));
    }
    for (var body : file.take("requestBodies").properties()) {
      component("requestBodies", body.getKey(), body(body.getKey(), body.getValue()));
    }
    var usual = new HashMap<String, String>();
    for (var response : file.take("responses").properties()) {
      var members = new Members(response.getKey(), response.getValue());
      var status = members.take("status");
      if (!status.isMissingNode()) {
        usual.put(status.asText(), response.getKey());
      }
      var pointer = "/components/responses/" + response.getKey();
      component("responses", response.getKey(), response(pointer, members, List.of()));
    }
    for (var schema : file.take("schemas").properties()) {
      component("schemas", schema.getKey(), schemas.schema(schema.getValue()));
    }
    return usual;
  }

  private void component(String section, String name, ObjectNode component) {
    if (document.withObject("/components/" + section).replace(name, component) != null) {
      throw new IllegalArgumentException(section + " has two of the name " + name);
    }
  }

  private static ObjectNode ref(String section, String name) {
    return NODES.objectNode().put("$ref", "#/components/" + section + "/" + name);
  }

  private void operation(String tag, Members source, String id, Map<String, String> problems) {
    var route = source.takeText("route", "").split(" ", 2);
    var path = route[1];
    var verb = route[0].toLowerCase(Locale.ROOT);
    var traits = source.takeList("with");
    if (!TRAITS.containsAll(traits)) {
      throw new IllegalArgumentException(id + " has an unknown trait among " + traits);
    }
    var permissions = source.takeList("permissions");
    var operation = ((ObjectNode) document.get("paths")).withObjectProperty(path).putObject(verb);
    operation.put("operationId", id);
    operation.putArray("tags").add(tag);
    operation.set("summary", source.take("summary"));
    operation.set("description", source.take("description"));
    security(operation.putArray("security"), traits);
    permissions.forEach(operation.putArray("x-permissions")::add);
    var tools = source.take("tools");
    if (!tools.isMissingNode()) {
      operation.set("x-mcp-tools", tools);
    }
    var parameters = parameters(path, traits, source.take("parameters"));
    if (!parameters.isEmpty()) {
      operation.set("parameters", parameters);
    }
    var body = source.take("body");
    if (!body.isMissingNode()) {
      operation.set("requestBody", body(id, body));
    }
    var statuses = usualErrors(path, traits, operation);
    statuses.addAll(source.takeList("errors"));
    var answers = new TreeMap<String, ObjectNode>();
    for (var status : statuses) {
      var problem = Objects.requireNonNull(problems.get(status), id + " has the error " + status);
      answers.put(status, ref("responses", problem));
    }
    for (var answer : source.take("answers").properties()) {
      var status = answer.getKey();
      var place = "/paths/" + path.replace("/", "~1") + "/" + verb + "/responses/" + status;
      answers.put(status, answer(place, answer.getValue(), usualHeaders(status, traits)));
    }
    var responses = operation.putObject("responses");
    answers.forEach(responses::set);
    responses.set("default", ref("responses", "Problem"));
    source.requireNoMore();
  }

  private static void security(ArrayNode security, List<String> traits) {
    if (traits.contains("public")) {
      security.addObject();
    }
    if (!traits.contains("anonymous")) {
      security.addObject().putArray("bearer");
    }
  }

  private ArrayNode parameters(String path, List<String> traits, JsonNode particular) {
    var all = NODES.arrayNode();
    boolean isOwn = traits.contains("own");
    if (path.contains("{org}")) {
      all.add(ref("parameters", isOwn ? "ownOrg" : "org"));
    }
    if (path.contains("{repo}")) {
      all.add(ref("parameters", isOwn ? "ownRepo" : "repo"));
    }
    for (var source : particular) {
      all.add(
          source.isTextual()
              ? ref("parameters", source.asText())
              : parameter(source.path("name").asText(), source, path));
    }
    if (traits.contains("paged")) {
      all.add(ref("parameters", "limit")).add(ref("parameters", "cursor"));
    }
    if (traits.contains(CONDITIONAL)) {
      all.add(ref("parameters", "ifNoneMatch"));
    }
    return all;
  }

  /**
   * A parameter, of the query unless it says otherwise or the path has it. It may be like a shared
   * one, but for the members that it has itself.
   */
  private ObjectNode parameter(String name, JsonNode source, String path) {
    var described = NODES.objectNode();
    if (source.has("$ref")) {
      var shared = source.get("$ref").asText();
      described.put("name", shared).setAll((ObjectNode) parameters.get(shared));
    } else {
      described.put("name", name);
    }
    described.put(
        "in", path.contains("{" + name + "}") ? "path" : described.path("in").asText("query"));
    described.setAll((ObjectNode) source);
    described.remove("$ref");
    if (described.get("in").asText().equals("path")) {
      described.put("required", true);
    }
    return schemas.inFull(described);
  }

  private ObjectNode body(String place, JsonNode source) {
    if (source.isTextual()) {
      return ref("requestBodies", source.asText());
    }
    var members = new Members(place, source);
    var body = NODES.objectNode();
    var description = members.take("description");
    if (!description.isMissingNode()) {
      body.set("description", description);
    }
    body.put("required", members.take("required").asBoolean(true));
    var type = members.takeText("type", OpenApi.JSON);
    body.putObject("content").set(type, schemas.inFull(members.rest()));
    return body;
  }

  /** The errors that every operation of such a path, with such traits and parts, may answer. */
  private static Set<String> usualErrors(String path, List<String> traits, ObjectNode operation) {
    boolean hasBody = operation.has("requestBody");
    var rules = new LinkedHashMap<String, Boolean>();
    rules.put("304", traits.contains(CONDITIONAL));
    rules.put("400", path.startsWith("/api/") || hasBody);
    rules.put("401", true);
    rules.put("403", !operation.get("x-permissions").isEmpty());
    rules.put("404", path.contains("{"));
    rules.put("413", hasBody);
    rules.put("415", hasBody);
    rules.put("429", path.contains("{repo}") || traits.contains(LIMITED));
    return rules.entrySet().stream()
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> usualHeaders(String status, List<String> traits) {
    var headers = new ArrayList<String>();
    if (status.equals("200") && traits.contains(CONDITIONAL)) {
      headers.addAll(List.of("ETag", "CacheControl", "Vary"));
    }
    if (status.equals("200") && traits.contains("linked")) {
      headers.add("Link");
    }
    if (status.startsWith("2") && traits.contains(LIMITED)) {
      headers.addAll(List.of("RateLimit", "RateLimitPolicy"));
    }
    return headers;
  }

  private ObjectNode answer(String place, JsonNode source, List<String> headers) {
    return source.isTextual()
        ? ref("responses", source.asText())
        : response(place, new Members(place, source), headers);
  }

  /** A response; a problem is one of its media type that no cache may keep, unless it says so. */
  private ObjectNode response(String place, Members source, List<String> usualHeaders) {
    var response = NODES.objectNode();
    response.set("description", source.take("description"));
    var statuses = source.take("x-statuses");
    if (!statuses.isMissingNode()) {
      response.set("x-statuses", statuses);
    }
    var particular = source.take("headers");
    var headers = headers(usualHeaders, particular);
    var media = source.take("content");
    var content = NODES.objectNode();
    media.properties().forEach(one -> content.set(one.getKey(), schemas.inFull(one.getValue())));
    if (source.has("schema")) {
      var type = source.take("type");
      var one = source.rest();
      boolean isProblem = one.get("schema").asText().equals("Problem");
      content.set(type.asText(isProblem ? OpenApi.PROBLEM : OpenApi.JSON), schemas.inFull(one));
      if (isProblem && particular.isMissingNode()) {
        headers.set("Cache-Control", ref("headers", "NoStore"));
      }
    }
    if (!headers.isEmpty()) {
      response.set("headers", headers);
    }
    if (!content.isEmpty()) {
      response.set("content", content);
    }
    content.properties().forEach(one -> recall(place, one.getKey(), one.getValue()));
    source.requireNoMore();
    return response;
  }

  private ObjectNode headers(List<String> usual, JsonNode particular) {
    var headers = NODES.objectNode();
    usual.forEach(name -> headers.set(headerNames.get(name), ref("headers", name)));
    for (var header : particular) {
      if (header.isTextual()) {
        headers.set(headerNames.get(header.asText()), ref("headers", header.asText()));
      } else {
        var own = schemas.inFull(header);
        headers.set(own.remove("name").asText(), own);
      }
    }
    return headers;
  }

  /** Where an example of an answer is only its summary, its value is the one that was recorded. */
  private void recall(String place, String type, JsonNode media) {
    for (var example : media.path("examples").properties()) {
      if (example.getValue().isTextual()) {
        var content = recorded.at(place).path("content").path(type);
        var value = content.path("examples").path(example.getKey()).path("value");
        var whole = NODES.objectNode();
        whole.set("summary", example.getValue());
        whole.set("value", value.isMissingNode() ? NODES.nullNode() : value);
        example.setValue(whole);
      }
    }
  }
}

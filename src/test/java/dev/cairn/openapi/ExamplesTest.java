package dev.cairn.openapi;

import static io.restassured.RestAssured.given;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.HttpTest;
import dev.cairn.docs.GeneratedPart;
import dev.cairn.oauth.Flow;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The examples of the document are one story, told here in its order: the requests are sent as they
 * stand there, and the answers must be those that stand there; with {@code docs.write} they are
 * recorded. Examples of one name belong together, as the document says at its beginning.
 */
@HttpTest
@QuarkusTest
class ExamplesTest {
  private static final String EMAIL = "gardener@example.org";
  private static final String FORM = "application/x-www-form-urlencoded";

  /** Operations and examples in the order of the story; who signs in is who calls from then on. */
  private static final List<String> STORY =
      List.of(
          "whoami anonymous",
          "listRepositories demo",
          "getRepository demo",
          "head page",
          "head next",
          "head glob",
          "query claims",
          "query pairs",
          "query fields",
          "query names",
          "query unclaimed",
          "count glob",
          "search words",
          "count all",
          "count empty",
          "getThing then",
          "getThing demo",
          "getThing first",
          "getThings demo",
          "resolve demo",
          "about demo",
          "about deep",
          "aboutMany demo",
          "listReferences demo",
          "listReferences outbound",
          "describe demo",
          "listShapes page",
          "getShape demo",
          "createLiveTicket demo",
          "getAuthorizationServer server",
          "registerClient planner",
          "signUp gardener",
          "signIn gardener",
          "refresh gardener",
          "getKeys keys",
          "createOrganization gardener",
          "listOrganizations gardener",
          "whoami gardener",
          "getOrganization gardener",
          "updateOrganization gardener",
          "setMember gardener",
          "listMembers gardener",
          "removeMember gardener",
          "createRepository gardener",
          "updateRepository gardener",
          "commit add",
          "commit change",
          "commit dryRun",
          "commit partial",
          "commit mismatch",
          "commit stale",
          "diff gardener",
          "listCommits page",
          "getCommit gardener",
          "verify gardener",
          "history gardener",
          "history readings",
          "export async",
          "putCredentialSet gardener",
          "listCredentialSets gardener",
          "getCredentialSet gardener",
          "putOrganizationCredentialSet gardener",
          "listOrganizationCredentialSets gardener",
          "getOrganizationCredentialSet gardener",
          "registerComponent gardener",
          "resolveComponent gardener",
          "installComponent dryRun",
          "installComponent gardener",
          "examineComponent gardener",
          "rotateComponentToken gardener",
          "registerComponent upgrade",
          "listInstalls gardener",
          "listComponents gardener",
          "getComponent gardener",
          "getComponent first",
          "tearDownComponent gardener",
          "deregisterComponent gardener",
          "createSubscription gardener",
          "createSubscription sprite",
          "createSubscription cron",
          "listSubscriptions gardener",
          "updateSubscription gardener",
          "getSubscription gardener",
          "bindCredentials gardener",
          "unbindCredentials gardener",
          "pauseSubscription gardener",
          "resumeSubscription gardener",
          "deleteSubscription gardener",
          "revokeCredentialSet gardener",
          "deleteCredentialSet gardener",
          "revokeOrganizationCredentialSet gardener",
          "deleteOrganizationCredentialSet gardener",
          "createToken gardener",
          "listSessions gardener");

  /** What comes after the refusals, which need the token and the repository. */
  private static final List<String> END =
      List.of(
          "revokeToken gardener",
          "listTokens gardener",
          "listAuditEvents page",
          "listAccountEvents page",
          "deleteRepository gardener",
          "authorizeDevice device",
          "getToken device",
          "getToken refresh",
          "getToken unknown",
          "revokeGrant device",
          "endOtherSessions gardener",
          "changePassword gardener",
          "endSignIn gardener");

  /** What cannot be brought about here, or is proved elsewhere. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "RateLimited limited", // QuotaTest
          "Problem unavailable", // UnavailableTest
          "Down down", // DatabaseHealthTest
          "listRuns failed", // ActionReadsTest
          "listAttempts failed", // ActionReadsTest
          "listAttemptsOfCommit failed", // ActionReadsTest
          "listNotifications failed", // RetryTest
          "retryRun again", // RetryTest
          "recoverRuns again", // RetryTest
          "reportRun done", // CallbackTest
          "tick quiet", // TickTest
          "endSession gardener", // SessionsTest
          "setUpComponent ready", // SetupCallTest
          "setUpComponent none", // SetupCallTest
          "setUpComponent hung", // HostileServerTest
          "callComponentMethod found", // MethodCallTest
          "callComponentMethod hung", // HostileServerTest
          "export built", // ExportJobTest
          "getStart json", // WelcomeTest
          "getOpenApi start"); // ServedDocumentTest

  private static final Pattern REQUEST = Pattern.compile("(GET|PUT|POST|DELETE) (/\\S*)");

  private final OpenApi api = OpenApi.get();
  private Likeness likeness;
  private final List<String> differences = new ArrayList<>();
  private final Set<String> proved = new TreeSet<>(ELSEWHERE);
  private String token;

  @Test
  void every_example_of_the_document_is_what_the_service_answers() throws IOException {
    likeness = new Likeness("http://localhost:" + RestAssured.port);
    STORY.forEach(this::tell);
    refusals().forEach(this::refuse);
    requestsInSummaries();
    END.forEach(this::tell);
    if (GeneratedPart.isWritten()) {
      Files.writeString(OpenApi.FILE, DocumentFile.yaml(api.root()));
    }
    assertEquals("", String.join("\n", differences));
    var examples = new TreeSet<String>();
    api.operations()
        .forEach(o -> o.node().get("responses").forEach(r -> names(o.id(), r, examples)));
    api.root()
        .at("/components/responses")
        .properties()
        .forEach(r -> names(r.getKey(), r.getValue(), examples));
    assertEquals(examples, proved);
  }

  private static void names(String owner, JsonNode response, Set<String> names) {
    examples(response).fieldNames().forEachRemaining(name -> names.add(owner + " " + name));
  }

  /** Refusals by what they are refused for; the requests are made up, the answers stand there. */
  private Map<String, Function<RequestSpecification, Response>> refusals() {
    var repository = "/api/repos/garden/greenhouse";
    return Map.ofEntries(
        entry(
            "Conflict exists",
            request -> signedIn(request).body("{\"name\":\"garden\"}").post("/api/orgs")),
        entry(
            "PreconditionFailed changed",
            request ->
                signedIn(request)
                    .header("If-Match", "\"of-another-time\"")
                    .delete(repository + "/subs/nightly")),
        entry(
            "IdempotencyMismatch key",
            request ->
                signedIn(request)
                    .header("Idempotency-Key", "first-sensors-2026")
                    .body(
                        "{\"operations\":[{\"operation\":\"retract\",\"name\":\"Sensor/north\"}]}")
                    .post(repository + "/commits")),
        entry(
            "Forbidden role",
            request ->
                request
                    .auth()
                    .oauth2(live("createToken", "201", "gardener", "token"))
                    .delete(repository)),
        entry("TooLarge body", request -> request.body(" ".repeat(70_000)).post("/api/auth/login")),
        entry(
            "UnsupportedMediaType text",
            request -> request.contentType("text/plain").body("x").post("/api/auth/login")),
        entry("Problem media", request -> request.accept("image/png").get("/api/whoami")),
        entry(
            "OAuthRefused scope",
            request ->
                request
                    .contentType(FORM)
                    .body("client_id=cairn-cli&scope=repo:fly")
                    .post("/oauth/device_authorization")),
        entry(
            "OAuthUnauthenticated client",
            request ->
                request
                    .contentType(FORM)
                    .body("client_id=nobody")
                    .post("/oauth/device_authorization")));
  }

  private RequestSpecification signedIn(RequestSpecification request) {
    return request.auth().oauth2(token);
  }

  private void refuse(String name, Function<RequestSpecification, Response> request) {
    var parts = name.split(" ", -1);
    var example = example(api.root().at("/components/responses/" + parts[0]), parts[1]);
    compare(name, example, request.apply(given().contentType(OpenApi.JSON)));
  }

  /** Where a summary is a request, the example is its answer for nobody known. */
  private void requestsInSummaries() {
    for (var response : api.root().at("/components/responses").properties()) {
      for (var example : examples(response.getValue()).properties()) {
        var request = REQUEST.matcher(example.getValue().path("summary").asText());
        if (request.matches()) {
          compare(
              response.getKey() + " " + example.getKey(),
              example.getValue(),
              given().urlEncodingEnabled(false).request(request.group(1), request.group(2)));
        }
      }
    }
  }

  private void tell(String step) {
    var parts = step.split(" ", -1);
    var operation = api.operation(parts[0]);
    if (step.equals("getToken device")) {
      Flow.approveDevice(EMAIL, live("authorizeDevice", "200", "device", "user_code"));
    }
    var response = send(operation, parts[1]);
    var described = api.resolved(operation.response(response.statusCode()));
    var example = examples(described).path(parts[1]);
    if (example.isObject()) {
      compare(step, example, response);
    } else if (!response.asString().isEmpty()) {
      differences.add(
          "%s: no such example with %s"
              .formatted(step, response.statusLine() + response.asString()));
    }
    if (response.contentType().startsWith(OpenApi.JSON)
        && response.jsonPath().get("accessToken") instanceof String accessToken) {
      token = accessToken;
    }
  }

  /** Compares an answer with the example of it, or records it there. */
  private void compare(String name, JsonNode example, Response response) {
    proved.add(name);
    var answer = OpenApi.json(response.asString());
    if (GeneratedPart.isWritten()) {
      ((ObjectNode) example).set("value", likeness.shown("", example.path("value"), answer));
    } else {
      differences.addAll(likeness.differences(name, example.path("value"), answer));
    }
  }

  /** A text of the live answer that stands for one of an example. */
  private String live(String operation, String status, String name, String member) {
    var response = api.resolved(api.operation(operation).node().path("responses").path(status));
    return likeness.sent(example(response, name).path("value").path(member)).asText();
  }

  private static JsonNode example(JsonNode response, String name) {
    return examples(response).path(name);
  }

  /** All examples of a response, of whatever media type. */
  private static JsonNode examples(JsonNode response) {
    var examples = JsonNodeFactory.instance.objectNode();
    response.path("content").forEach(media -> examples.setAll(named(media)));
    return examples;
  }

  private static ObjectNode named(JsonNode media) {
    return media.path("examples") instanceof ObjectNode named
        ? named
        : JsonNodeFactory.instance.objectNode();
  }

  private Response send(OpenApi.Operation operation, String name) {
    var request = given().urlEncodingEnabled(false);
    if (token != null) {
      request.auth().oauth2(token);
    }
    var path = operation.path();
    var query = new ArrayList<String>();
    for (var parameter : operation.parameters()) {
      var in = parameter.path("in").asText();
      var own = parameter.path("examples").path(name).path("value");
      var value = own.isMissingNode() && in.equals("path") ? parameter.path("example") : own;
      if (!value.isMissingNode()) {
        var text = likeness.sent(value).asText();
        switch (in) {
          case "path" -> path = path.replace(placeholder(parameter), encoded(text));
          case "query" -> query.addAll(pairs(parameter.path("name").asText(), value));
          default -> request.header(parameter.path("name").asText(), text);
        }
      }
    }
    body(request, api.resolved(operation.node().path("requestBody")).path("content"), name);
    return request.request(
        operation.verb(), query.isEmpty() ? path : path + "?" + String.join("&", query));
  }

  /** A parameter of a query; one that is a list stands there once for each of its items. */
  private List<String> pairs(String name, JsonNode value) {
    var values = value.isArray() ? value : JsonNodeFactory.instance.arrayNode().add(value);
    var pairs = new ArrayList<String>();
    values.forEach(item -> pairs.add(name + "=" + encoded(likeness.sent(item).asText())));
    return pairs;
  }

  private static String placeholder(JsonNode parameter) {
    return "{" + parameter.path("name").asText() + "}";
  }

  private void body(RequestSpecification request, JsonNode content, String name) {
    for (var media : content.properties()) {
      var body = likeness.sent(media.getValue().path("examples").path(name).path("value"));
      request.contentType(media.getKey());
      request.body(media.getKey().equals(FORM) ? form(members(body)) : body.toString());
    }
  }

  private static Map<String, String> members(JsonNode object) {
    var members = new LinkedHashMap<String, String>();
    object.properties().forEach(m -> members.put(m.getKey(), m.getValue().asText()));
    return members;
  }

  private static String form(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(p -> p.getKey() + "=" + encoded(p.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}

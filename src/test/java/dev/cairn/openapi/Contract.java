package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.restassured.RestAssured;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Holds every answer that a test gets against the document: its status and media type stand there,
 * and its body is as the schema says, with no member more. Paths and methods that the document does
 * not have are what the tests make up. If a test fails, it tells the last exchange; RestAssured's
 * own log of each exchange, kept for that, took a fifth of the tests' time.
 */
public final class Contract
    implements Filter,
        BeforeAllCallback,
        InvocationInterceptor,
        BeforeTestExecutionCallback,
        TestExecutionExceptionHandler {
  /** Larger bodies have the same form, and would take their time. */
  private static final int MAX_BODY = 256 * 1024;

  /** How much of a body is told, in characters. */
  private static final int MAX_TOLD = 4_000;

  /** The statuses of refusals that say what to do about them. */
  private static final Set<Integer> REMEDIED = Set.of(409, 412, 422);

  /** The codes of other refusals that do. */
  private static final Set<String> REMEDIED_CODES = Set.of("ILLEGAL_OP_SEQUENCE", "RESERVED_NAME");

  /** The reasons that nothing can be done about. */
  private static final Set<String> FINAL =
      Set.of("run_not_failed", "run_not_running", "subscription_deleted");

  static {
    JsonScripts.install();
    JsonValues.install();
  }

  private final OpenApi api;
  private volatile Exchange last;

  private record Answer(int status, String type, byte[] body) {
    static Answer of(Response response) {
      return new Answer(response.statusCode(), response.contentType(), response.asByteArray());
    }

    JsonNode json() {
      return OpenApi.json(new String(body, StandardCharsets.UTF_8));
    }
  }

  private record Exchange(FilterableRequestSpecification request, Response response) {
    @Override
    public String toString() {
      return "%s %s%n%s%n-> %d%n%s"
          .formatted(
              request.getMethod(),
              request.getURI(),
              told(request.getBody()),
              response.statusCode(),
              told(response.asString()));
    }

    private static String told(Object body) {
      var text = body instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(body);
      return text.length() > MAX_TOLD ? text.substring(0, MAX_TOLD) + "..." : text;
    }
  }

  /** As JUnit makes it, for the document as it is. */
  public Contract() {
    this(OpenApi.get());
  }

  Contract(OpenApi api) {
    this.api = api;
  }

  /** Has RestAssured send and read as fast as in the tests of this extension. */
  public static void speedUp() {
    Clients.use();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    RestAssured.replaceFiltersWith(this);
  }

  /** Not earlier: Quarkus sets the configuration again before each test. */
  @Override
  public void interceptBeforeEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    Clients.use();
    invocation.proceed();
  }

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    Clients.use();
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (last != null) {
      System.err.println("The last exchange of " + context.getDisplayName() + ": " + last);
    }
    throw failure;
  }

  @Override
  public Response filter(
      FilterableRequestSpecification request,
      FilterableResponseSpecification specification,
      FilterContext context) {
    var response = Sending.answer(request).orElseGet(() -> context.next(request, specification));
    last = new Exchange(request, response);
    check(api, request.getMethod(), path(request), Answer.of(response));
    return response;
  }

  /**
   * Holds an answer that RestAssured did not get against the document.
   *
   * @param path without a query
   */
  public static void check(String method, String path, HttpResponse<byte[]> response) {
    var type = response.headers().firstValue("Content-Type").orElse("");
    check(OpenApi.get(), method, path, new Answer(response.statusCode(), type, response.body()));
  }

  private static void check(OpenApi api, String method, String path, Answer answer) {
    var violations = new ArrayList<>(violations(api, method, path, answer));
    if (answer.type().startsWith(OpenApi.PROBLEM) && answer.body().length > 0) {
      violations.addAll(missingHint(answer.json()));
    }
    if (!violations.isEmpty()) {
      throw new AssertionError(
          "%s %s is not as %s says:%n%s"
              .formatted(method, path, OpenApi.FILE, String.join("\n", violations)));
    }
  }

  /** RestAssured makes a whole address slowly, so only where the path has parameters. */
  private static String path(FilterableRequestSpecification request) {
    var path = request.getUserDefinedPath();
    return path.contains("{")
        ? URI.create(request.getURI()).getRawPath()
        : path.replaceFirst("[?].*", "");
  }

  /** What a problem lacks that the caller can do something about. */
  public static List<String> missingHint(JsonNode problem) {
    boolean needsHint =
        REMEDIED.contains(problem.path("status").asInt())
            || REMEDIED_CODES.contains(problem.path("code").asText());
    boolean isFinal = FINAL.contains(problem.at("/details/reason").asText());
    return needsHint && !isFinal && !problem.has("hint")
        ? List.of("a hint of " + problem)
        : List.of();
  }

  /** What an answer has that the document does not. */
  List<String> violations(String method, String path, Response response) {
    return violations(api, method, path, Answer.of(response));
  }

  private static List<String> violations(OpenApi api, String method, String path, Answer answer) {
    var verb = method.equals("HEAD") ? "GET" : method;
    return api.at(verb, path)
        .map(operation -> violations(api, operation, method, answer))
        .orElse(List.of());
  }

  private static List<String> violations(
      OpenApi api, OpenApi.Operation operation, String method, Answer answer) {
    int status = answer.status();
    var described = new ArrayList<JsonNode>();
    if (operation.node().path("responses").has(String.valueOf(status))) {
      described.add(api.resolved(operation.response(status)));
    }
    var others = api.resolved(operation.node().path("responses").path("default"));
    if (StreamSupport.stream(others.path("x-statuses").spliterator(), false)
        .anyMatch(other -> other.asInt() == status)) {
      described.add(others);
    }
    if (described.isEmpty()) {
      return List.of("the status " + status + " of " + operation.id());
    }
    if (method.equals("HEAD") || answer.body().length == 0) {
      return List.of();
    }
    var type = answer.type().replaceAll(";.*", "");
    return described.stream()
        .map(one -> one.path("content").path(type))
        .filter(JsonNode::isObject)
        .findFirst()
        .map(media -> violations(api, media, type, answer))
        .orElse(List.of("the media type " + type + " with " + status + " of " + operation.id()));
  }

  private static List<String> violations(OpenApi api, JsonNode media, String type, Answer answer) {
    if (!type.matches("application/(.+[+])?json") || answer.body().length > MAX_BODY) {
      return List.of();
    }
    return api.violations(media.path("schema"), answer.json());
  }
}

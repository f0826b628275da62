package dev.cairn.mcp;

import static io.restassured.RestAssured.given;

import dev.cairn.Api;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A client of MCP that says what it is told to, in one revision or the other. */
public final class Mcp {
  public static final String NEW = "2026-07-28";

  /** The last one that allows several messages at once. */
  static final String FIRST = "2025-03-26";

  public static final String OLD = "2025-11-25";

  private final String path;
  private final String token;
  private final String version;

  /** What follows the path, and more headers: they select tools. */
  private final String query;

  private final Map<String, String> headers;

  private Mcp(
      String path, String token, String version, String query, Map<String, String> headers) {
    this.path = path;
    this.token = token;
    this.version = version;
    this.query = query;
    this.headers = headers;
  }

  /** A client of {@code /mcp}; {@code token} is null for none. */
  public static Mcp of(String version, String token) {
    return new Mcp("/mcp", token, version, "", Map.of());
  }

  static Mcp admin(String version) {
    return of(version, Api.adminToken());
  }

  static Mcp anonymous(String version) {
    return of(version, null);
  }

  /** The same client at the path of a repository, given as {@code /api/repos/org/repo}. */
  public Mcp at(String repository) {
    return new Mcp(pathOf(repository), token, version, query, headers);
  }

  /** The path of a repository, given as {@code /api/repos/org/repo}. */
  static String pathOf(String repository) {
    return "/mcp/" + repository.substring("/api/repos/".length());
  }

  /** The same client in another revision. */
  Mcp in(String other) {
    return new Mcp(path, token, other, query, headers);
  }

  /** The same client with a query in its URL. */
  Mcp query(String text) {
    return new Mcp(path, token, version, "?" + text, headers);
  }

  /** The same client with one more header. */
  Mcp header(String name, String value) {
    return new Mcp(path, token, version, query, Map.of(name, value));
  }

  /** Calls a tool; answers its result. */
  public ValidatableResponse call(String tool, Map<String, ?> arguments) {
    return call(tool, arguments, Map.of());
  }

  /** Calls a tool with more parameters; its result must be as it says in its schema. */
  ValidatableResponse call(String tool, Map<String, ?> arguments, Map<String, ?> more) {
    var params = new LinkedHashMap<String, Object>(more);
    params.put("name", tool);
    params.put("arguments", arguments);
    var answer = send("tools/call", params);
    if (answer.extract().statusCode() == 200
        && answer.extract().contentType().startsWith("application/json")) {
      Outputs.check(tool, answer.extract().asString());
    }
    return answer;
  }

  /** Sends a request. */
  ValidatableResponse send(String method, Map<String, ?> params) {
    return send(request(), method, params);
  }

  /** Sends a request with more headers. */
  ValidatableResponse send(RequestSpecification request, String method, Map<String, ?> params) {
    var all = new HashMap<String, Object>(params);
    if (version.equals(NEW)) {
      all.put(
          "_meta",
          Map.of(
              "io.modelcontextprotocol/protocolVersion",
              version,
              "io.modelcontextprotocol/clientCapabilities",
              Map.of()));
      request.header("Mcp-Method", method);
      var name = params.containsKey("uri") ? params.get("uri") : params.get("name");
      if (name != null && !method.startsWith("completion")) {
        request.header("Mcp-Name", name);
      }
    }
    return request
        .body(Map.of("jsonrpc", "2.0", "id", 7, "method", method, "params", all))
        .post(path + query)
        .then();
  }

  /** A request of this client, as it begins. */
  RequestSpecification request() {
    var request =
        given()
            .contentType(ContentType.JSON)
            .accept("application/json, text/event-stream")
            .header("MCP-Protocol-Version", version)
            .headers(headers);
    return token == null ? request : request.header("Authorization", "Bearer " + token);
  }
}

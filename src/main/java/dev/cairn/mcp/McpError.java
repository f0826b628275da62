package dev.cairn.mcp;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.Failure;

/** A request that the protocol does not allow; {@code docs/mcp.md}, Errors. */
final class McpError extends RuntimeException {
  static final int PARSE_ERROR = -32_700;
  static final int INVALID_REQUEST = -32_600;
  static final int METHOD_NOT_FOUND = -32_601;
  static final int INVALID_PARAMS = -32_602;
  static final int INTERNAL_ERROR = -32_603;
  static final int HEADER_MISMATCH = -32_020;
  static final int UNSUPPORTED_VERSION = -32_022;

  private static final int BAD_REQUEST = 400;
  private static final int SERVER_ERROR = 500;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final long serialVersionUID = 1L;

  private final int status;
  private final int code;
  private final transient ObjectNode data;

  private McpError(int status, int code, String message, ObjectNode data) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.data = data;
  }

  /**
   * An error.
   *
   * @param status the HTTP status
   * @param code the JSON-RPC code
   */
  static McpError of(int status, int code, String message) {
    return new McpError(status, code, message, JsonNodeFactory.instance.objectNode());
  }

  /** Parameters that are not valid for the method. */
  static McpError params(String message) {
    return of(200, INVALID_PARAMS, message);
  }

  /** The failure of a request that reached MCP; the data is its problem document. */
  static McpError of(Failure failure) {
    int status = failure.problem().code().status();
    var error =
        of(
            status,
            status < SERVER_ERROR ? INVALID_REQUEST : INTERNAL_ERROR,
            failure.problem().detail());
    error.data.setAll(MAPPER.<ObjectNode>valueToTree(failure.document()));
    return error;
  }

  /** A body that is not valid JSON; the data has the violations. */
  static McpError malformed(Problem problem) {
    var error = of(BAD_REQUEST, PARSE_ERROR, problem.detail());
    problem
        .errors()
        .forEach(
            violation ->
                error
                    .data()
                    .withArray("/errors")
                    .addObject()
                    .put("pointer", violation.pointer())
                    .put("detail", violation.detail()));
    return error;
  }

  /** A message that is not a JSON-RPC request. */
  static McpError notARequest() {
    return of(BAD_REQUEST, INVALID_REQUEST, "The message must be a JSON-RPC 2.0 request.");
  }

  /**
   * A request for an unknown method.
   *
   * @param status the HTTP status
   */
  static McpError noMethod(int status) {
    return of(status, METHOD_NOT_FOUND, "There is no such method here.");
  }

  /** A URI without a resource. */
  static McpError noResource(String uri) {
    var error = params("Resource not found");
    error.data.put("uri", uri);
    return error;
  }

  /** The same error with another JSON-RPC code. */
  McpError withCode(int other) {
    return new McpError(status, other, getMessage(), data);
  }

  /** The mutable data of the error; not sent if empty. */
  ObjectNode data() {
    return data;
  }

  int status() {
    return status;
  }

  int code() {
    return code;
  }

  /** The {@code error} member of a response. */
  ObjectNode toJson() {
    var error =
        JsonNodeFactory.instance.objectNode().put("code", code).put("message", getMessage());
    if (!data.isEmpty()) {
      error.set("data", data);
    }
    return error;
  }
}

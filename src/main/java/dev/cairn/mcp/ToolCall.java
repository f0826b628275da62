package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.query.ShownFields;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A call of a tool, or a use of a prompt.
 *
 * @param arguments the arguments by name, including {@code org} and {@code repo} if the path names
 *     them; no value is null
 * @param request the request of the call
 */
record ToolCall(ObjectNode arguments, McpRequest request) {
  private static final List<String> REPOSITORY = List.of("org", "repo");

  /** Texts with commas in a URL, which may be arrays here. */
  private static final Set<String> LIST_ARGUMENTS = Set.of(ShownFields.FIELDS);

  /**
   * The call of a tool.
   *
   * @throws McpError if the arguments are not an object, or name a repository although the path
   *     does
   */
  static ToolCall of(Tool tool, McpRequest request) {
    var call = of(request);
    var arguments = call.arguments;
    if (request.repository().isPresent() && REPOSITORY.stream().anyMatch(arguments::has)) {
      throw McpError.params("The path names the repository: leave `org` and `repo` out.");
    }
    request
        .repository()
        .filter(_ -> tool.isInRepository())
        .ifPresent(
            name -> {
              int slash = name.indexOf('/');
              arguments.put("org", name.substring(0, slash));
              arguments.put("repo", name.substring(slash + 1));
            });
    return call;
  }

  /**
   * The use of a prompt.
   *
   * @throws McpError if the arguments are not an object
   */
  static ToolCall of(McpRequest request) {
    var given = request.params().path("arguments");
    var arguments = JsonNodeFactory.instance.objectNode();
    if (given instanceof ObjectNode object) {
      arguments.setAll(object);
      // A model may fill in every argument of a schema, so null means that it is not given.
      arguments.properties().removeIf(argument -> argument.getValue().isNull());
    } else if (!given.isMissingNode() && !given.isNull()) {
      throw McpError.params("`arguments` must be an object.");
    }
    return new ToolCall(arguments, request);
  }

  /** Whether the client requested progress notifications for the call. */
  boolean wantsProgress() {
    var token = request.meta().path("progressToken");
    return token.isTextual() || token.isIntegralNumber();
  }

  /**
   * Notifies the client of the progress of the call, if it requested that.
   *
   * @param done the progress so far, which must grow with each call
   * @param total the final value of {@code done}; null if it is not known
   */
  void progress(double done, Double total, String message) {
    if (!wantsProgress()) {
      return;
    }
    var params = JsonNodeFactory.instance.objectNode();
    params.set("progressToken", request.meta().get("progressToken"));
    params.put("progress", done).put("message", message);
    if (total != null) {
      params.put("total", total);
    }
    notify("notifications/progress", params);
  }

  /** Sends a notification to the client before the answer. */
  void notify(String method, ObjectNode params) {
    var notification = JsonNodeFactory.instance.objectNode();
    notification.put("jsonrpc", "2.0").put("method", method).set("params", params);
    request.stream().accept(notification);
  }

  String org() {
    return required("org");
  }

  String repo() {
    return required("repo");
  }

  /** The text of a required argument. */
  String required(String name) {
    return arguments.path(name).asText();
  }

  /** The text of an argument, if it was given. */
  Optional<String> text(String name) {
    return Optional.ofNullable(arguments.path(name).textValue());
  }

  /**
   * The arguments as parameters of a read; only {@code known} ones are allowed. All arguments are
   * searched for blanks in names.
   */
  QueryParameters parameters(Set<String> known, String... except) {
    QueryParameters.refuseBlanks(arguments);
    return QueryParameters.of(object(except), known, LIST_ARGUMENTS);
  }

  /** The arguments as parameters of a read; {@code repeatable} ones may be arrays. */
  QueryParameters parameters(Set<String> known, Set<String> repeatable) {
    QueryParameters.refuseBlanks(arguments);
    var arrays =
        Stream.concat(LIST_ARGUMENTS.stream(), repeatable.stream()).collect(Collectors.toSet());
    return QueryParameters.of(object(), known, arrays);
  }

  /** The arguments as a record, without those that name the repository and {@code except}. */
  <T> T as(Class<T> type, String... except) {
    return RequestBody.asRecord(object(except), type);
  }

  /** The arguments without those that name the repository and {@code except}. */
  ObjectNode object(String... except) {
    var rest = JsonNodeFactory.instance.objectNode();
    rest.setAll(arguments);
    rest.remove(REPOSITORY);
    rest.remove(List.of(except));
    return rest;
  }
}

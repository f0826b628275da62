package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.platform.QueryParameters;
import dev.cairn.platform.RequestBody;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A call of a tool, as far as a handler cares.
 *
 * @param arguments by name, also {@code org} and {@code repo} where the path named them; checked
 *     against the tool's schema
 * @param client what the client can do, as it declared with this call; nothing in the older
 *     revisions, which say it once
 * @param responses the client's answers to what an earlier answer asked for; missing for none
 * @param state what that answer told the client to send back; null for nothing. It went through the
 *     client's hands
 */
public record ToolCall(
    ObjectNode arguments, JsonNode client, JsonNode responses, String state, Progress progress) {

  private static final List<String> REPOSITORY = List.of("org", "repo");

  /** Tells the client how far a call is; does nothing where it did not ask. */
  @FunctionalInterface
  public interface Progress {
    /** Tells nobody. */
    Progress NONE = (_, _, _) -> {};

    /**
     * Tells the client.
     *
     * @param done grows from one time to the next
     * @param total what it grows to; null where that is not known
     */
    void tell(double done, Double total, String message);
  }

  /**
   * A call's arguments with what its path says.
   *
   * @param given an object, or nothing
   * @param repository {@code org/repo} where the path names one
   * @throws McpError where they are no object, or name a repository too
   */
  static ObjectNode arguments(Tool tool, JsonNode given, Optional<String> repository) {
    var arguments = arguments(given);
    if (repository.isPresent() && REPOSITORY.stream().anyMatch(arguments::has)) {
      throw McpError.params("The path names the repository; leave `org` and `repo` out.");
    }
    repository
        .filter(_ -> tool.inRepository())
        .ifPresent(
            name -> {
              int slash = name.indexOf('/');
              arguments.put("org", name.substring(0, slash));
              arguments.put("repo", name.substring(slash + 1));
            });
    return arguments;
  }

  /**
   * A copy of arguments.
   *
   * @param given an object, or nothing
   * @throws McpError where they are no object
   */
  static ObjectNode arguments(JsonNode given) {
    var arguments = JsonNodeFactory.instance.objectNode();
    if (given instanceof ObjectNode object) {
      arguments.setAll(object);
      // A model that fills in every argument of a schema means the same by null as by nothing.
      arguments.properties().removeIf(argument -> argument.getValue().isNull());
    } else if (!given.isMissingNode() && !given.isNull()) {
      throw McpError.params("`arguments` must be an object.");
    }
    return arguments;
  }

  /** A call of a revision that says no more of it. */
  static ToolCall of(ObjectNode arguments, Progress progress) {
    var nothing = MissingNode.getInstance();
    return new ToolCall(arguments, nothing, nothing, null, progress);
  }

  String org() {
    return required("org");
  }

  String repo() {
    return required("repo");
  }

  /** The text of an argument that the tool's schema requires. */
  String required(String name) {
    return arguments.path(name).asText();
  }

  /** The text of an argument, if it was given. */
  Optional<String> text(String name) {
    return Optional.ofNullable(arguments.path(name).textValue());
  }

  /** The arguments as parameters of a read, which may be {@code known} ones. */
  QueryParameters parameters(Set<String> known, String... except) {
    return QueryParameters.of(object(except), known, Set.of());
  }

  /** The same, where an array stands for each parameter of {@code repeatable}. */
  QueryParameters parameters(Set<String> known, Set<String> repeatable) {
    return QueryParameters.of(object(), known, repeatable);
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

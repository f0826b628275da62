package dev.cairn.mcp;

import static java.util.stream.Collectors.joining;

import io.vertx.core.MultiMap;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Which tools a request may list and call, by its path, its query and its headers; {@code
 * docs/mcp.md}, Toolsets.
 *
 * @param isBound whether the path names a repository: then only tools for one repository and for
 *     the service itself
 * @param toolsets the toolsets; all of them if the request names none
 * @param isReadOnly whether only tools that change nothing
 */
record ToolSelection(boolean isBound, Set<Toolset> toolsets, boolean isReadOnly) {
  private static final String TOOLSETS = "toolsets";
  private static final String READONLY = "readonly";
  private static final List<String> PARAMETERS = List.of(TOOLSETS, READONLY);
  private static final String HEADER_PREFIX = "X-MCP-";
  private static final int BAD_REQUEST = 400;

  /**
   * The selection of a request. What its query and its headers both say must hold together, so that
   * a proxy can restrict what a client asks for.
   *
   * @throws McpError if there is no such parameter, toolset or value
   */
  static ToolSelection of(boolean isBound, MultiMap query, MultiMap headers) {
    for (var name : query.names()) {
      if (!PARAMETERS.contains(name)) {
        throw invalid(
            "There is no query parameter `%s` here. Known are: %s."
                .formatted(name, String.join(", ", PARAMETERS)));
      }
    }
    var toolsets = EnumSet.allOf(Toolset.class);
    boolean isReadOnly = false;
    for (UnaryOperator<String> source :
        List.<UnaryOperator<String>>of(
            name -> joined(query, name), name -> joined(headers, HEADER_PREFIX + name))) {
      Optional.ofNullable(source.apply(TOOLSETS))
          .map(ToolSelection::toolsets)
          .ifPresent(toolsets::retainAll);
      isReadOnly |= isTrue(source.apply(READONLY));
    }
    return new ToolSelection(isBound, toolsets, isReadOnly);
  }

  /** Whether headers select tools, which are no part of the URL by which a cache knows the list. */
  static boolean isInHeaders(MultiMap headers) {
    return PARAMETERS.stream().anyMatch(name -> headers.contains(HEADER_PREFIX + name));
  }

  /** All values of a parameter, separated by commas; null if it is not given. */
  private static String joined(MultiMap values, String name) {
    return values.contains(name) ? String.join(",", values.getAll(name)) : null;
  }

  private static Set<Toolset> toolsets(String names) {
    var toolsets = EnumSet.noneOf(Toolset.class);
    for (var name : names.split(",", -1)) {
      toolsets.add(
          Toolset.named(name.strip())
              .orElseThrow(
                  () ->
                      invalid(
                          "There is no toolset `%s`. The toolsets are: %s."
                              .formatted(
                                  name.strip(),
                                  Arrays.stream(Toolset.values())
                                      .map(Toolset::wire)
                                      .collect(joining(", "))))));
    }
    return toolsets;
  }

  private static boolean isTrue(String value) {
    return switch (value) {
      case null -> false;
      case "false" -> false;
      case "true" -> true;
      default -> throw invalid("`readonly` must be true or false.");
    };
  }

  private static McpError invalid(String message) {
    return McpError.of(BAD_REQUEST, McpError.INVALID_PARAMS, message);
  }
}

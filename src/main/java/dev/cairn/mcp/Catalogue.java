package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All tools, prompts and resources, in the same order in every replica. */
@ApplicationScoped
class Catalogue {
  private final Map<String, Tool> tools;
  private final List<Prompt> prompts;
  private final List<ResourceSource> resources;

  Catalogue(
      @All List<ToolSource> tools,
      @All List<PromptSource> prompts,
      @All List<ResourceSource> resources) {
    var all = new LinkedHashMap<String, Tool>();
    tools.stream()
        .sorted(Comparator.comparingInt(ToolSource::order))
        .flatMap(source -> source.tools().stream())
        .forEach(
            tool -> {
              if (all.put(tool.name(), tool) != null) {
                throw new IllegalStateException("two tools are named " + tool.name());
              }
            });
    this.tools = all;
    this.prompts = prompts.stream().flatMap(source -> source.prompts().stream()).toList();
    this.resources = resources;
  }

  /**
   * The tools at one of the two paths.
   *
   * @param bound whether the path names a repository: then the tools for one repository and for the
   *     service itself
   */
  public Collection<Tool> tools(boolean bound) {
    return tools.values().stream().filter(tool -> !bound || isBound(tool)).toList();
  }

  /** A tool by its name, if it is available at that path. */
  public Optional<Tool> tool(String name, boolean bound) {
    return Optional.ofNullable(tools.get(name)).filter(tool -> !bound || isBound(tool));
  }

  private static boolean isBound(Tool tool) {
    return tool.inRepository() || tool.category().equals(ServiceTools.CATEGORY);
  }

  List<Prompt> prompts() {
    return prompts;
  }

  Optional<Prompt> prompt(String name) {
    return prompts.stream().filter(prompt -> prompt.name().equals(name)).findFirst();
  }

  /** The resources that are listed; {@code repository} is the one that the path names. */
  List<ResourceSource.Resource> resources(Optional<String> repository) {
    return resources.stream().flatMap(source -> source.resources(repository).stream()).toList();
  }

  /** The templates of resources. */
  List<ResourceSource.Resource> templates() {
    return resources.stream().flatMap(source -> source.templates().stream()).toList();
  }

  /** The content of a URI, if any source has it. */
  Optional<ObjectNode> read(String uri) {
    return resources.stream().flatMap(source -> source.read(uri).stream()).findFirst();
  }
}

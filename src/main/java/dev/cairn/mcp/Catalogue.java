package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.live.ChangeStreams;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** All tools, prompts and resources, in the same order in every replica. */
@ApplicationScoped
class Catalogue {
  /** The toolsets that have their own reads. */
  private static final Set<Toolset> WITH_READS =
      EnumSet.of(Toolset.SUBSCRIPTION, Toolset.COMPONENT);

  private final Map<String, Tool> tools;

  /** The toolsets by the names of the tools; a tool without one is always offered. */
  private final Map<String, Toolset> toolsets;

  private final List<Prompt> prompts;
  private final List<ResourceSource> resources;

  Catalogue(
      @All List<ToolSource> tools,
      @All List<PromptSource> prompts,
      @All List<ResourceSource> resources) {
    var all = new LinkedHashMap<String, Tool>();
    var sets = new HashMap<String, Toolset>();
    for (var source : tools.stream().sorted(Comparator.comparingInt(ToolSource::order)).toList()) {
      for (var tool : source.tools()) {
        if (all.put(tool.name(), tool) != null) {
          throw new IllegalStateException("two tools are named " + tool.name());
        }
        source.toolset().ifPresent(toolset -> sets.put(tool.name(), toolset(tool, toolset)));
      }
    }
    this.tools = all;
    this.toolsets = sets;
    this.prompts = prompts.stream().flatMap(source -> source.prompts().stream()).toList();
    this.resources = resources;
  }

  private static Toolset toolset(Tool tool, Toolset ofSource) {
    return tool.effect().isReadOnly() && !WITH_READS.contains(ofSource) ? Toolset.READ : ofSource;
  }

  /** The tools that a request is offered. */
  Collection<Tool> tools(ToolSelection selection) {
    return tools.values().stream().filter(tool -> isOffered(tool, selection)).toList();
  }

  /** A tool by its name, if the request is offered it. */
  Optional<Tool> tool(String name, ToolSelection selection) {
    return Optional.ofNullable(tools.get(name)).filter(tool -> isOffered(tool, selection));
  }

  private boolean isOffered(Tool tool, ToolSelection selection) {
    var toolset = toolsets.get(tool.name());
    return (toolset == null || selection.toolsets().contains(toolset))
        && (tool.effect().isReadOnly() || !selection.isReadOnly())
        && (!selection.isBound()
            || tool.isInRepository()
            || tool.category().equals(ServiceTools.CATEGORY));
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

  /** What changes the content of a URI, as {@link ResourceSource#changes}. */
  Optional<ChangeStreams.Source> changes(
      String uri, BiFunction<String, String, RepositoryAccess> access) {
    return resources.stream().flatMap(source -> source.changes(uri, access).stream()).findFirst();
  }
}

package dev.cairn.mcp;

import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All tools there are, in the order in which every replica lists them. */
@ApplicationScoped
public class Catalogue {
  private final Map<String, Tool> tools;

  Catalogue(@All List<ToolSource> sources) {
    var all = new LinkedHashMap<String, Tool>();
    sources.stream()
        .sorted(Comparator.comparingInt(ToolSource::order))
        .flatMap(source -> source.tools().stream())
        .forEach(
            tool -> {
              if (all.put(tool.name(), tool) != null) {
                throw new IllegalStateException("two tools are named " + tool.name());
              }
            });
    this.tools = all;
  }

  /**
   * The tools at one of the two paths.
   *
   * @param bound whether the path names a repository: then those about one, and about the service
   *     itself
   */
  public Collection<Tool> tools(boolean bound) {
    return tools.values().stream().filter(tool -> !bound || isBound(tool)).toList();
  }

  /** A tool by its name, if it is at that path. */
  public Optional<Tool> tool(String name, boolean bound) {
    return Optional.ofNullable(tools.get(name)).filter(tool -> !bound || isBound(tool));
  }

  private static boolean isBound(Tool tool) {
    return tool.inRepository() || tool.category().equals(ServiceTools.CATEGORY);
  }
}

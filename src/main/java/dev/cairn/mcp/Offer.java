package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** The prompts and resources there are, whatever bean makes them. */
@ApplicationScoped
class Offer {
  private final List<Prompt> prompts;
  private final List<ResourceSource> resources;

  Offer(@All List<PromptSource> prompts, @All List<ResourceSource> resources) {
    this.prompts = prompts.stream().flatMap(source -> source.prompts().stream()).toList();
    this.resources = resources;
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

  List<ResourceSource.Resource> templates() {
    return resources.stream().flatMap(source -> source.templates().stream()).toList();
  }

  /** What a URI holds, if any source knows it. */
  Optional<ObjectNode> read(String uri) {
    return resources.stream().flatMap(source -> source.read(uri).stream()).findFirst();
  }
}

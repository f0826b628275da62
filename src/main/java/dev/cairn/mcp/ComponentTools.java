package dev.cairn.mcp;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.component.Registrations;
import dev.cairn.component.RegistryReads;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.platform.page.Page;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tools for components; {@code docs/components.md}. */
@ApplicationScoped
class ComponentTools implements ToolSource {
  private static final String CATEGORY = "Components";
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Registrations registrations;
  private final RegistryReads registry;

  ComponentTools(
      CurrentCaller caller,
      Authorizer authorizer,
      Registrations registrations,
      RegistryReads registry) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.registrations = registrations;
    this.registry = registry;
  }

  @Override
  public int order() {
    return 12;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.COMPONENT);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("component_list", "List components")
            .describedAs(
                "The components of an organization that repositories can install, at their newest"
                    + " versions.")
            .handledBy(CATEGORY, this::list),
        Tool.ofRoute("component_register", "Register a component")
            .withEffect(Effect.SETS)
            .describedAs(
                """
                Registers a component or a further version of it. The JSON Schema of `manifest` is
                /component.schema.json. Not with an OAuth token.
                """)
            .handledBy(CATEGORY, this::register));
  }

  private Object list(ToolCall call) {
    var parameters = call.parameters(PAGED);
    return registry.list(caller.get(), call.org(), Page.limit(parameters), parameters.text(CURSOR));
  }

  private Object register(ToolCall call) {
    var access = authorizer.organization(caller.get(), call.org(), ORG_CONFIGURE);
    return registrations
        .register(access, call.required("name"), () -> call.object("name"))
        .component();
  }
}

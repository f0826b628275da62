package dev.cairn.mcp;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.mcp.Tool.required;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.component.Doctor;
import dev.cairn.component.InstallAccess;
import dev.cairn.component.InstallReads;
import dev.cairn.component.InstallRequest;
import dev.cairn.component.Installations;
import dev.cairn.component.Registrations;
import dev.cairn.component.RegistryReads;
import dev.cairn.component.Teardowns;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.platform.page.Page;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Tools for components; {@code docs/components.md}. */
@ApplicationScoped
class ComponentTools implements ToolSource {
  private static final String CATEGORY = "Components";
  private static final String INSTALL_ID = "installId";
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Registrations registrations;
  private final RegistryReads registry;
  private final InstallAccess access;
  private final InstallReads installs;
  private final Installations installations;
  private final Doctor doctor;
  private final Teardowns teardowns;

  ComponentTools(
      CurrentCaller caller,
      Authorizer authorizer,
      Registrations registrations,
      RegistryReads registry,
      InstallAccess access,
      InstallReads installs,
      Installations installations,
      Doctor doctor,
      Teardowns teardowns) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.registrations = registrations;
    this.registry = registry;
    this.access = access;
    this.installs = installs;
    this.installations = installations;
    this.doctor = doctor;
    this.teardowns = teardowns;
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
        Tool.ofRoute("component_installs", "List installed components")
            .describedAs("The components of the repository, with their ids and states.")
            .handledBy(CATEGORY, this::installs),
        Tool.ofRoute("component_register", "Register a component")
            .withEffect(Effect.SETS)
            .describedAs(
                """
                Registers a component or a further version of it. The JSON Schema of `manifest` is
                /component.schema.json. Not with an OAuth token.
                """)
            .handledBy(CATEGORY, this::register),
        Tool.ofRoute("component_install", "Install a component")
            .withEffect(Effect.SETS)
            .describedAs(
                """
                Installs a version of a component, or makes what is installed as it says; deletes
                nothing. Try dryRun first: it shows what would be made. Not with an OAuth token.
                """)
            .handledBy(CATEGORY, this::install),
        Tool.ofRoute("component_doctor", "Check a component")
            .describedAs("Whether an installed component is well, and what to do if it is not.")
            .handledBy(CATEGORY, this::examine),
        Tool.ofRoute("component_teardown", "Tear a component down")
            .withEffect(Effect.DESTROYS)
            .takes(required(Tool.CONFIRM, Schema.string("Must repeat the component, org/name")))
            .describedAs(
                """
                Ends its tokens, and pauses or deletes its subscriptions; content and credential
                sets stay. Not with an OAuth token.
                """)
            .handledBy(CATEGORY, this::tearDown));
  }

  private Object list(ToolCall call) {
    var parameters = call.parameters(PAGED);
    return registry.list(caller.get(), call.org(), Page.limit(parameters), parameters.text(CURSOR));
  }

  private Object installs(ToolCall call) {
    return installs.list(access.toList(caller.get(), call.org(), call.repo()));
  }

  private Object register(ToolCall call) {
    var access = authorizer.organization(caller.get(), call.org(), ORG_CONFIGURE);
    return registrations
        .register(access, call.required("name"), () -> call.object("name"))
        .component();
  }

  private Object install(ToolCall call) {
    var granted = access.toChange(caller.get(), call.org(), call.repo());
    return installations.install(granted, () -> call.as(InstallRequest.class)).installed();
  }

  private Object examine(ToolCall call) {
    var granted = access.toCheck(caller.get(), call.org(), call.repo());
    return doctor.examine(granted, installId(call));
  }

  private Object tearDown(ToolCall call) {
    var granted = access.toChange(caller.get(), call.org(), call.repo());
    var id = installId(call);
    teardowns.requireName(granted, id, call.required(Tool.CONFIRM), "/" + Tool.CONFIRM);
    return teardowns.tearDown(
        granted, id, call.as(Teardowns.Request.class, INSTALL_ID, Tool.CONFIRM));
  }

  private static UUID installId(ToolCall call) {
    return InstallReads.id(call.required(INSTALL_ID));
  }
}

package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Stream;

/**
 * The components that organizations have registered, {@code docs/components.md}; what a repository
 * has installed is at {@link InstallsClient}.
 */
public final class ComponentsClient {
  private final Transport transport;

  ComponentsClient(Transport transport) {
    this.transport = transport;
  }

  /** The components of an organization by name, at their newest versions. */
  public Stream<ListedComponent> listComponents(String organization) {
    return Pages.stream(page -> listComponentsPage(organization, page));
  }

  /** A page of {@link #listComponents}. */
  public ComponentPage listComponentsPage(String organization, Paging page) {
    return transport.json(
        Call.get("api", "component-registry", organization).query(page), ComponentPage.class);
  }

  /**
   * A component with the manifest of a version.
   *
   * @param version null for the newest one
   */
  public Component getComponent(String organization, String name, @Nullable String version) {
    return transport.json(
        Call.get("api", "component-registry", organization, name).query("version", version),
        Component.class);
  }

  /** Registers a component, or a version of it; what is left out stays. */
  public Component registerComponent(
      String organization, String name, ComponentRegistration registration) {
    return register(organization, name, registration);
  }

  /** The same with a body that is JSON already, as {@link ComponentRegistration} has it. */
  public Component registerComponent(String organization, String name, JsonNode registration) {
    return register(organization, name, registration);
  }

  private Component register(String organization, String name, Object registration) {
    return transport.json(
        Call.put("api", "component-registry", organization, name).json(registration),
        Component.class);
  }

  /** Deregisters a component: its tokens end, and what is installed stays. */
  public void deregisterComponent(String organization, String name) {
    transport.run(Call.delete("api", "component-registry", organization, name));
  }

  /** Resolves a component for a repository, and reserves the id of the install. */
  public ResolvedComponent resolveComponent(
      String organization, String name, ComponentResolution resolution) {
    return transport.json(
        post(organization, name, "resolve").json(resolution).repeatable(), ResolvedComponent.class);
  }

  /** Makes the setup call; the faults of the component's server are in the answer. */
  public ComponentSetupResult setUpComponent(
      String organization, String name, ComponentSetup setup) {
    return transport.json(
        post(organization, name, "setup-call").json(setup), ComponentSetupResult.class);
  }

  /** Calls a method of an installed component; the faults of its server are in the answer. */
  public ComponentCallResult callComponentMethod(
      String organization, String name, String method, ComponentCall call) {
    return transport.json(
        post(organization, name, "cli").segment(method).json(call), ComponentCallResult.class);
  }

  private static Call post(String organization, String name, String action) {
    return Call.post("api", "component-registry", organization, name, action);
  }
}

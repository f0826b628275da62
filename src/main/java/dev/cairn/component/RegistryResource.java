package dev.cairn.component;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;

/** The registry of components; the rules are in {@code docs/components.md}. */
@Path("/api/component-registry")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class RegistryResource {
  /** Maximum bytes of a registration: more than its manifest has as canonical JSON. */
  private static final int MAX_BODY = RequestBody.MAX_LIST;

  private static final String VERSION = "version";

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Registrations registrations;
  private final RegistryReads reads;
  private final Resolutions resolutions;
  private final SetupCalls setupCalls;
  private final MethodCalls methodCalls;
  private final BaseUrl baseUrl;

  /** Body that resolves a component. */
  @RegisterForReflection
  record Resolve(String installRepo) {}

  RegistryResource(
      CurrentCaller caller,
      Authorizer authorizer,
      Registrations registrations,
      RegistryReads reads,
      Resolutions resolutions,
      SetupCalls setupCalls,
      MethodCalls methodCalls,
      BaseUrl baseUrl) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.registrations = registrations;
    this.reads = reads;
    this.resolutions = resolutions;
    this.setupCalls = setupCalls;
    this.methodCalls = methodCalls;
    this.baseUrl = baseUrl;
  }

  /** The components of an organization. */
  @GET
  @Path("{org}")
  public Page<ComponentView.Item> list(@PathParam("org") String org, @Context UriInfo uri) {
    var parameters = QueryParameters.of(uri, Set.of(LIMIT, CURSOR));
    return reads.list(caller.get(), org, Page.limit(parameters), parameters.text(CURSOR));
  }

  /** One component, at its newest version or another one. */
  @GET
  @Path("{org}/{name}")
  public ComponentView get(
      @PathParam("org") String org, @PathParam("name") String name, @Context UriInfo uri) {
    var parameters = QueryParameters.of(uri, Set.of(VERSION));
    return reads.get(caller.get(), org, name, parameters.text(VERSION));
  }

  /** Registers a component or a version of it. */
  @PUT
  @Path("{org}/{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response register(
      @PathParam("org") String org,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    var access = authorizer.organization(caller.get(), org, ORG_CONFIGURE);
    QueryParameters.none(uri);
    var result =
        registrations.register(
            access, name, () -> RequestBody.object(body, MAX_BODY, Registration.MAX_VALUES));
    var component = result.component();
    return result.isNew()
        ? baseUrl.created(
            request,
            "/api/component-registry/" + component.org() + "/" + component.name(),
            component)
        : Response.ok(component).build();
  }

  /** Ends the registration of a component. */
  @DELETE
  @Path("{org}/{name}")
  public Map<String, Boolean> deregister(
      @PathParam("org") String org, @PathParam("name") String name, @Context UriInfo uri) {
    var access = authorizer.organization(caller.get(), org, ORG_CONFIGURE);
    QueryParameters.none(uri);
    registrations.deregister(access, org, name);
    return Map.of("ok", true);
  }

  /** Resolves a component for a repository. */
  @POST
  @Path("{org}/{name}/resolve")
  @Consumes(MediaType.APPLICATION_JSON)
  public Resolutions.Resolved resolve(
      @PathParam("org") String org,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri) {
    var account = caller.account();
    QueryParameters.none(uri);
    return resolutions.resolve(
        account, org, name, () -> RequestBody.read(body, Resolve.class).installRepo());
  }

  /** Makes the setup call of a component. */
  @POST
  @Path("{org}/{name}/setup-call")
  @Consumes(MediaType.APPLICATION_JSON)
  public SetupCalls.Result setUp(
      @PathParam("org") String org,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    var account = caller.account();
    QueryParameters.none(uri);
    return setupCalls.call(
        account,
        org,
        name,
        baseUrl.ofRuns(request),
        () -> RequestBody.read(body, SetupCalls.Request.class));
  }

  /** Calls a method of an installed component. */
  @POST
  @Path("{org}/{name}/cli/{method}")
  @Consumes(MediaType.APPLICATION_JSON)
  public MethodCalls.Result call(
      @PathParam("org") String org,
      @PathParam("name") String name,
      @PathParam("method") String method,
      InputStream body,
      @Context UriInfo uri) {
    var account = caller.account();
    QueryParameters.none(uri);
    return methodCalls.call(
        account, org, name, method, () -> RequestBody.read(body, MethodCalls.Request.class));
  }
}

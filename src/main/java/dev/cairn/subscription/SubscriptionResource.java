package dev.cairn.subscription;

import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.access.conditional.IfMatch;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * Subscriptions of a repository; the rules are in {@code docs/subscriptions.md}.
 *
 * <p>A name may have slashes, plain or encoded. A path that ends with a plain slash and the name of
 * a route is that route; with an encoded slash it is a name.
 */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class SubscriptionResource {
  private final CurrentCaller caller;
  private final SubscriptionAccess access;
  private final Subscriptions subscriptions;
  private final Bindings bindings;
  private final SubscriptionReads reads;
  private final BaseUrl baseUrl;

  /** The body that binds a credential set. */
  @RegisterForReflection
  record Binding(String credentialSetName) {}

  SubscriptionResource(
      CurrentCaller caller,
      SubscriptionAccess access,
      Subscriptions subscriptions,
      Bindings bindings,
      SubscriptionReads reads,
      BaseUrl baseUrl) {
    this.caller = caller;
    this.access = access;
    this.subscriptions = subscriptions;
    this.bindings = bindings;
    this.reads = reads;
    this.baseUrl = baseUrl;
  }

  /** All subscriptions. */
  @GET
  @Path("subs")
  public List<SubscriptionView> list(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return reads.list(readable(path, uri));
  }

  /** One subscription. */
  @GET
  @Path("subs/{name: \\G.+}")
  public Response get(
      @BeanParam RepositoryPath path, @PathParam("name") String name, @Context UriInfo uri) {
    var found = reads.get(readable(path, uri), name);
    return Response.ok(found).header(HttpHeaders.ETAG, found.etag()).build();
  }

  /** Creates a subscription. */
  @POST
  @Path("subs")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response create(
      @BeanParam RepositoryPath path,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    var access = writable(path, uri);
    var keys = request.headers().getAll(IdempotencyKeys.HEADER);
    var made = subscriptions.create(access, () -> RequestBody.object(body), keys);
    var name = made.name().replace("/", "%2F");
    var location = "/api/repos/%s/subs/%s".formatted(access.fullName(), name);
    var created = baseUrl.created(request, location, made.answer().json());
    return Response.fromResponse(created).status(made.answer().status()).build();
  }

  /** Changes one. */
  @PATCH
  @Path("subs/{name: \\G.+}")
  @Consumes(MediaType.APPLICATION_JSON)
  public SubscriptionView update(
      @BeanParam RepositoryPath path,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    var access = writable(path, uri);
    var ifMatch = IfMatch.of(request.headers());
    return subscriptions.update(access, name, ifMatch, RequestBody.object(body));
  }

  /** Pauses one. */
  @POST
  @Path("subs/{name: \\G.+}/pause")
  public Map<String, Boolean> pause(
      @BeanParam RepositoryPath path, @PathParam("name") String name, @Context UriInfo uri) {
    subscriptions.pause(writable(path, uri), name);
    return Map.of("ok", true);
  }

  /** Resumes one. */
  @POST
  @Path("subs/{name: \\G.+}/resume")
  public Map<String, Boolean> resume(
      @BeanParam RepositoryPath path,
      @PathParam("name") String name,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    subscriptions.resume(writable(path, uri), name, IfMatch.of(request.headers()));
    return Map.of("ok", true);
  }

  /** Binds a credential set to it. */
  @POST
  @Path("subs/{name: \\G.+}/bind")
  @Consumes(MediaType.APPLICATION_JSON)
  public Bindings.Bound bind(
      @BeanParam RepositoryPath path,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    var access = writable(path, uri);
    var set = RequestBody.read(body, Binding.class).credentialSetName();
    if (set == null) {
      throw Problem.invalid("/credentialSetName", "`credentialSetName` is required.");
    }
    return bindings.bind(access, name, IfMatch.of(request.headers()), set);
  }

  /** Removes the binding. */
  @DELETE
  @Path("subs/{name: \\G.+}/bind")
  public Bindings.Unbound unbind(
      @BeanParam RepositoryPath path,
      @PathParam("name") String name,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    return bindings.unbind(writable(path, uri), name, IfMatch.of(request.headers()));
  }

  /** Deletes one. */
  @DELETE
  @Path("subs/{name: \\G.+}")
  public Map<String, Boolean> delete(
      @BeanParam RepositoryPath path,
      @PathParam("name") String name,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    subscriptions.delete(writable(path, uri), name, IfMatch.of(request.headers()));
    return Map.of("ok", true);
  }

  private RepositoryAccess writable(RepositoryPath path, UriInfo uri) {
    var found = access.toWrite(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    return found;
  }

  private RepositoryAccess readable(RepositoryPath path, UriInfo uri) {
    var found = access.toRead(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    return found;
  }
}

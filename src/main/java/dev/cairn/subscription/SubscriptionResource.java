package dev.cairn.subscription;

import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import dev.cairn.platform.BaseUrl;
import dev.cairn.platform.QueryParameters;
import dev.cairn.platform.RequestBody;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Subscriptions of a repository; the rules are in {@code docs/subscriptions.md}.
 *
 * <p>A name may hold slashes, as they are or encoded. What ends in a word that is a route of its
 * own is that route; encoded, it is a name.
 */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class SubscriptionResource {
  private final CurrentCaller caller;
  private final SubscriptionAccess access;
  private final Subscriptions subscriptions;
  private final SubscriptionReads reads;
  private final BaseUrl baseUrl;

  /** Body that binds a credential set. */
  @RegisterForReflection
  record Binding(String credentialSetName) {}

  SubscriptionResource(
      CurrentCaller caller,
      SubscriptionAccess access,
      Subscriptions subscriptions,
      SubscriptionReads reads,
      BaseUrl baseUrl) {
    this.caller = caller;
    this.access = access;
    this.subscriptions = subscriptions;
    this.reads = reads;
    this.baseUrl = baseUrl;
  }

  /** All subscriptions. */
  @GET
  @Path("subs")
  public List<SubscriptionView> list(
      @PathParam("org") String org, @PathParam("repo") String repo, @Context UriInfo uri) {
    return reads.list(readable(org, repo, uri));
  }

  /** One subscription. */
  @GET
  @Path("subs/{name: .+}")
  public SubscriptionView get(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      @Context UriInfo uri) {
    return reads.get(readable(org, repo, uri), name);
  }

  /** Makes a subscription. */
  @POST
  @Path("subs")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response create(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @HeaderParam("Idempotency-Key") String idempotencyKey,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    var access = this.access.toWrite(caller.get(), org, repo);
    QueryParameters.none(uri);
    var key = Optional.ofNullable(idempotencyKey);
    var made =
        subscriptions.create(access, () -> RequestBody.object(body), baseUrl.of(request), key);
    var path = "/api/repos/%s/%s/subs/%s";
    var name = made.name().replace("/", "%2F");
    var created =
        baseUrl.created(
            request, path.formatted(access.org(), access.repo(), name), made.answer().json());
    return Response.fromResponse(created).status(made.answer().status()).build();
  }

  /** Changes one. */
  @PATCH
  @Path("subs/{name: .+}")
  @Consumes(MediaType.APPLICATION_JSON)
  public SubscriptionView update(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri) {
    var access = this.access.toWrite(caller.get(), org, repo);
    QueryParameters.none(uri);
    return subscriptions.update(access, name, RequestBody.object(body));
  }

  /** Makes no more runs of it. */
  @POST
  @Path("subs/{name: .+}/pause")
  public Map<String, Boolean> pause(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      @Context UriInfo uri) {
    var access = this.access.toWrite(caller.get(), org, repo);
    QueryParameters.none(uri);
    subscriptions.pause(access, name);
    return Map.of("ok", true);
  }

  /** Makes runs of it again. */
  @POST
  @Path("subs/{name: .+}/resume")
  public Map<String, Boolean> resume(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      @Context UriInfo uri) {
    var access = this.access.toWrite(caller.get(), org, repo);
    QueryParameters.none(uri);
    subscriptions.resume(access, name);
    return Map.of("ok", true);
  }

  /** Binds a credential set to it. */
  @POST
  @Path("subs/{name: .+}/bind")
  @Consumes(MediaType.APPLICATION_JSON)
  public Subscriptions.Bound bind(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri) {
    var access = this.access.toWrite(caller.get(), org, repo);
    QueryParameters.none(uri);
    var set = RequestBody.read(body, Binding.class).credentialSetName();
    if (set == null) {
      throw Problem.invalid("/credentialSetName", "`credentialSetName` is required.");
    }
    return subscriptions.bind(access, name, set);
  }

  /** Takes the binding away. */
  @DELETE
  @Path("subs/{name: .+}/bind")
  public Subscriptions.Unbound unbind(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      @Context UriInfo uri) {
    var access = this.access.toWrite(caller.get(), org, repo);
    QueryParameters.none(uri);
    return subscriptions.unbind(access, name);
  }

  /** Deletes one. */
  @DELETE
  @Path("subs/{name: .+}")
  public Map<String, Boolean> delete(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      @Context UriInfo uri) {
    var access = this.access.toWrite(caller.get(), org, repo);
    QueryParameters.none(uri);
    subscriptions.delete(access, name);
    return Map.of("ok", true);
  }

  private RepositoryAccess readable(String org, String repo, UriInfo uri) {
    var found = access.toRead(caller.get(), org, repo);
    QueryParameters.none(uri);
    return found;
  }
}

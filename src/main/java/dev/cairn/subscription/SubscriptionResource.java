package dev.cairn.subscription;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RateLimiter;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import dev.cairn.platform.BaseUrl;
import dev.cairn.platform.CairnConfig;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Subscriptions subscriptions;
  private final SubscriptionReads reads;
  private final RateLimiter limiter;
  private final BaseUrl baseUrl;
  private final int perMinute;

  /** Body that binds a credential set. */
  @RegisterForReflection
  record Binding(String credentialSetName) {}

  /** A binding that was made. */
  @RegisterForReflection
  record Bound(boolean bound, String subscriptionName, String credentialSetName) {}

  /** A binding that is gone. */
  @RegisterForReflection
  record Unbound(boolean unbound, String subscriptionName) {}

  SubscriptionResource(
      CurrentCaller caller,
      Authorizer authorizer,
      Subscriptions subscriptions,
      SubscriptionReads reads,
      RateLimiter limiter,
      BaseUrl baseUrl,
      CairnConfig config) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.subscriptions = subscriptions;
    this.reads = reads;
    this.limiter = limiter;
    this.baseUrl = baseUrl;
    this.perMinute = config.limits().subscriptionsPerMinute();
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
    var access = writable(org, repo);
    QueryParameters.none(uri);
    var key = Optional.ofNullable(idempotencyKey);
    var answered = subscriptions.answeredBody(access, key);
    // Failed attempts count too, a body that is no JSON as well; only the very request does not.
    if (answered.isEmpty()) {
      limit(access);
    }
    var wanted = RequestBody.object(body);
    if (answered.filter(before -> !Subscriptions.isReplay(before, wanted)).isPresent()) {
      limit(access);
    }
    var made = subscriptions.create(access, wanted, baseUrl.of(request), key);
    var path = "/api/repos/%s/%s/subs/%s";
    var name = wanted.path("name").textValue().replace("/", "%2F");
    var created =
        baseUrl.created(request, path.formatted(access.org(), access.repo(), name), made.json());
    return Response.fromResponse(created).status(made.status()).build();
  }

  private void limit(RepositoryAccess access) {
    limiter.take("subscriptions", "account:" + access.account().accountId(), perMinute, MINUTE);
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
    var access = writable(org, repo);
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
    var access = writable(org, repo);
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
    var access = writable(org, repo);
    QueryParameters.none(uri);
    subscriptions.resume(access, name);
    return Map.of("ok", true);
  }

  /** Binds a credential set to it. */
  @POST
  @Path("subs/{name: .+}/bind")
  @Consumes(MediaType.APPLICATION_JSON)
  public Bound bind(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri) {
    var access = writable(org, repo);
    QueryParameters.none(uri);
    var set = RequestBody.read(body, Binding.class).credentialSetName();
    if (set == null) {
      throw Problem.invalid("/credentialSetName", "`credentialSetName` is required.");
    }
    subscriptions.bind(access, name, set);
    return new Bound(true, name, set);
  }

  /** Takes the binding away. */
  @DELETE
  @Path("subs/{name: .+}/bind")
  public Unbound unbind(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      @Context UriInfo uri) {
    var access = writable(org, repo);
    QueryParameters.none(uri);
    subscriptions.unbind(access, name);
    return new Unbound(true, name);
  }

  /** Deletes one. */
  @DELETE
  @Path("subs/{name: .+}")
  public Map<String, Boolean> delete(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      @Context UriInfo uri) {
    var access = writable(org, repo);
    QueryParameters.none(uri);
    subscriptions.delete(access, name);
    return Map.of("ok", true);
  }

  private RepositoryAccess readable(String org, String repo, UriInfo uri) {
    var access = authorizer.repository(caller.get(), org, repo, REPO_READ).unnarrowed();
    QueryParameters.none(uri);
    return access;
  }

  /** What is set in motion shows what was written: who may read only a part may not set it. */
  private RepositoryAccess writable(String org, String repo) {
    var access =
        authorizer.repository(caller.get(), org, repo, REPO_WRITE, REPO_CONFIGURE).unnarrowed();
    var name = access.org() + "/" + access.repo();
    Optional.ofNullable(authorizer.readable(access.caller(), Set.of(name)).get(name))
        .ifPresent(RepositoryAccess::unnarrowed);
    return access;
  }
}

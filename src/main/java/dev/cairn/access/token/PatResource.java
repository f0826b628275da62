package dev.cairn.access.token;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.platform.page.BareList;
import dev.cairn.platform.page.Page;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;

/** Manages the caller's personal access tokens; requires an interactive sign-in. */
@Path("/api/pats")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class PatResource {
  private static final Duration HOUR = Duration.ofHours(1);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final PersonalAccessTokens tokens;
  private final RateLimiter limiter;
  private final int perHour;

  PatResource(
      CurrentCaller caller,
      Authorizer authorizer,
      PersonalAccessTokens tokens,
      RateLimiter limiter,
      CairnConfig config) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.tokens = tokens;
    this.limiter = limiter;
    this.perHour = config.limits().patsPerHour();
  }

  /** Creates a token, which is shown in this answer only. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response create(InputStream body, @Context UriInfo uri) {
    var owner = caller.session();
    refuseOldSignIn(owner, Instant.now());
    // Failed attempts count too, or the limit would not slow down a caller that tries names.
    limiter.take("pats", "account:" + owner.accountId(), perHour, HOUR);
    QueryParameters.none(uri);
    var request = RequestBody.read(body, NewPat.Body.class, NewPat::refuseNulls);
    var wanted = NewPat.of(request, Instant.now().truncatedTo(ChronoUnit.MILLIS));
    var scopes =
        new ScopeReader(authorizer, owner, Boolean.TRUE.equals(request.structured()))
            .read(request.scopes());
    var created = tokens.create(owner, wanted, scopes.scopes(), scopes.warnings());
    return Response.status(Response.Status.CREATED)
        .header("Cache-Control", "no-store")
        .entity(created)
        .build();
  }

  private static void refuseOldSignIn(Caller.SignedIn owner, Instant now) {
    if (!owner.mayMakeTokens(now)) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "Creating a token takes a sign-in at the issuer within the last 15 minutes.")
          .hint(
              "Sign in again at the issuer (OpenID Connect: `max_age` or `prompt=login`), and send"
                  + " a token with the `auth_time` of that sign-in.");
    }
  }

  /** The caller's tokens, without their values: all that one answer can hold. */
  @GET
  public BareList<PersonalAccessTokens.Pat> list(@Context UriInfo uri) {
    var owner = caller.session();
    var parameters = QueryParameters.of(uri, Set.of(Page.LIMIT, Page.CURSOR));
    return BareList.of(
        tokens.list(owner, Page.largestLimit(parameters), parameters.text(Page.CURSOR)));
  }

  /** Revokes a token; it stops working with the next request. */
  @DELETE
  @Path("{name}")
  public Map<String, Boolean> revoke(@PathParam("name") String name, @Context UriInfo uri) {
    var owner = caller.session();
    QueryParameters.none(uri);
    tokens.revoke(owner, name);
    return Map.of("ok", true);
  }
}

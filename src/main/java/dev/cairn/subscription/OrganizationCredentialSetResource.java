package dev.cairn.subscription;

import static dev.cairn.access.Permission.ORG_CONFIGURE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.QueryParameters;
import dev.cairn.platform.RequestBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
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
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** Credential sets of an organization; the rules are in {@code docs/credentials.md}. */
@Path("/api/orgs/{org}/credential-sets")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class OrganizationCredentialSetResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ManagedCredentials credentials;

  OrganizationCredentialSetResource(
      CurrentCaller caller, Authorizer authorizer, ManagedCredentials credentials) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.credentials = credentials;
  }

  /** All sets, without their values. */
  @GET
  public List<CredentialSetView> list(@PathParam("org") String org, @Context UriInfo uri) {
    return credentials.list(owner(org, uri));
  }

  /** One set, without its values. */
  @GET
  @Path("{name}")
  public CredentialSetView get(
      @PathParam("org") String org, @PathParam("name") String name, @Context UriInfo uri) {
    return credentials.get(owner(org, uri), name);
  }

  /** Makes a set, or changes what is sent. */
  @PUT
  @Path("{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  public CredentialSetView put(
      @PathParam("org") String org,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri) {
    var owner = owner(org, uri);
    return credentials.put(owner, name, () -> CredentialChange.of(RequestBody.object(body)));
  }

  /** Ends the use of a set; it stays in the list. */
  @POST
  @Path("{name}/revoke")
  public CredentialSetView revoke(
      @PathParam("org") String org, @PathParam("name") String name, @Context UriInfo uri) {
    return credentials.revoke(owner(org, uri), name);
  }

  /** Deletes a set. */
  @DELETE
  @Path("{name}")
  public Map<String, Boolean> delete(
      @PathParam("org") String org, @PathParam("name") String name, @Context UriInfo uri) {
    credentials.delete(owner(org, uri), name);
    return Map.of("ok", true);
  }

  private CredentialOwner owner(String org, UriInfo uri) {
    var access = authorizer.organization(caller.get(), org, ORG_CONFIGURE);
    QueryParameters.none(uri);
    return new CredentialOwner.OfOrganization(access);
  }
}

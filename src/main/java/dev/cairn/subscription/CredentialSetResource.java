package dev.cairn.subscription;

import static dev.cairn.access.Permission.REPO_CONFIGURE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryPath;
import dev.cairn.platform.QueryParameters;
import dev.cairn.platform.RequestBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
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

/** Credential sets of a repository; the rules are in {@code docs/credentials.md}. */
@Path("/api/repos/{org}/{repo}/credential-sets")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class CredentialSetResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ManagedCredentials credentials;

  CredentialSetResource(
      CurrentCaller caller, Authorizer authorizer, ManagedCredentials credentials) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.credentials = credentials;
  }

  /** All sets, without their values. */
  @GET
  public List<CredentialSetView> list(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return credentials.list(owner(path, uri));
  }

  /** One set, without its values. */
  @GET
  @Path("{name}")
  public CredentialSetView get(
      @BeanParam RepositoryPath path, @PathParam("name") String name, @Context UriInfo uri) {
    return credentials.get(owner(path, uri), name);
  }

  /** Makes a set, or changes what is sent. */
  @PUT
  @Path("{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  public CredentialSetView put(
      @BeanParam RepositoryPath path,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri) {
    var owner = owner(path, uri);
    return credentials.put(owner, name, () -> CredentialChange.of(RequestBody.object(body)));
  }

  /** Ends the use of a set; it stays in the list. */
  @POST
  @Path("{name}/revoke")
  public CredentialSetView revoke(
      @BeanParam RepositoryPath path, @PathParam("name") String name, @Context UriInfo uri) {
    return credentials.revoke(owner(path, uri), name);
  }

  /** Deletes a set. */
  @DELETE
  @Path("{name}")
  public Map<String, Boolean> delete(
      @BeanParam RepositoryPath path, @PathParam("name") String name, @Context UriInfo uri) {
    credentials.delete(owner(path, uri), name);
    return Map.of("ok", true);
  }

  private CredentialOwner owner(RepositoryPath path, UriInfo uri) {
    var access =
        authorizer.repository(caller.get(), path.org(), path.repo(), REPO_CONFIGURE).unnarrowed();
    QueryParameters.none(uri);
    return new CredentialOwner.OfRepository(access);
  }
}

package dev.cairn.subscription;

import dev.cairn.platform.http.RequestBody;
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

/**
 * Credential sets of what a subclass and its path are for; the rules are in {@code
 * docs/credentials.md}.
 */
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public abstract class CredentialSetResource {
  private final ManagedCredentials credentials;

  CredentialSetResource(ManagedCredentials credentials) {
    this.credentials = credentials;
  }

  /**
   * What the sets of a request belong to, if the caller may configure it.
   *
   * @param uri has no query parameters
   */
  abstract CredentialOwner owner(UriInfo uri);

  /** All sets, without their values. */
  @GET
  public List<CredentialSetView> list(@Context UriInfo uri) {
    return credentials.list(owner(uri));
  }

  /** One set, without its values. */
  @GET
  @Path("{name}")
  public CredentialSetView get(@PathParam("name") String name, @Context UriInfo uri) {
    return credentials.get(owner(uri), name);
  }

  /** Creates a set, or changes what is sent. */
  @PUT
  @Path("{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  public CredentialSetView put(
      @PathParam("name") String name, InputStream body, @Context UriInfo uri) {
    var owner = owner(uri);
    return credentials.put(owner, name, () -> CredentialChange.of(RequestBody.object(body)));
  }

  /** Ends the use of a set; it stays in the list. */
  @POST
  @Path("{name}/revoke")
  public CredentialSetView revoke(@PathParam("name") String name, @Context UriInfo uri) {
    return credentials.revoke(owner(uri), name);
  }

  /** Deletes a set. */
  @DELETE
  @Path("{name}")
  public Map<String, Boolean> delete(@PathParam("name") String name, @Context UriInfo uri) {
    credentials.delete(owner(uri), name);
    return Map.of("ok", true);
  }
}

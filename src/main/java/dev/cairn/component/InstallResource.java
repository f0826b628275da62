package dev.cairn.component;

import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.RepositoryPath;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
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
import java.util.List;

/** The components of a repository; the rules are in {@code docs/components.md}. */
@Path("/api/repos/{org}/{repo}/components")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class InstallResource {
  private final CurrentCaller caller;
  private final InstallAccess access;
  private final InstallReads reads;
  private final Installations installations;
  private final Doctor doctor;
  private final Teardowns teardowns;
  private final RuntimeTokens tokens;

  InstallResource(
      CurrentCaller caller,
      InstallAccess access,
      InstallReads reads,
      Installations installations,
      Doctor doctor,
      Teardowns teardowns,
      RuntimeTokens tokens) {
    this.caller = caller;
    this.access = access;
    this.reads = reads;
    this.installations = installations;
    this.doctor = doctor;
    this.teardowns = teardowns;
    this.tokens = tokens;
  }

  /** All components of the repository. */
  @GET
  public List<InstallReads.InstallView> list(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    var granted = access.toList(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    return reads.list(granted);
  }

  /** Installs a component. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response install(@BeanParam RepositoryPath path, InputStream body, @Context UriInfo uri) {
    var granted = changeable(path, uri);
    var result = installations.install(granted, () -> RequestBody.read(body, InstallRequest.class));
    var status = result.isNew() ? Response.Status.CREATED : Response.Status.OK;
    return Response.status(status).entity(result.installed()).build();
  }

  /** Checks whether a component is well. */
  @POST
  @Path("{installId}/doctor")
  public Doctor.Report examine(
      @BeanParam RepositoryPath path,
      @PathParam("installId") String installId,
      @Context UriInfo uri) {
    var granted = access.toCheck(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    return doctor.examine(granted, InstallReads.id(installId));
  }

  /** Tears a component down. */
  @POST
  @Path("{installId}/teardown")
  @Consumes(MediaType.APPLICATION_JSON)
  public Teardowns.TornDown tearDown(
      @BeanParam RepositoryPath path,
      @PathParam("installId") String installId,
      InputStream body,
      @Context UriInfo uri) {
    var granted = changeable(path, uri);
    var request = RequestBody.read(body, Teardowns.Request.class);
    return teardowns.tearDown(granted, InstallReads.id(installId), request);
  }

  /** Mints a new token of a component, and ends the former one. */
  @POST
  @Path("{installId}/token")
  public RuntimeTokens.Rotated rotate(
      @BeanParam RepositoryPath path,
      @PathParam("installId") String installId,
      @Context UriInfo uri) {
    return tokens.rotate(changeable(path, uri), InstallReads.id(installId));
  }

  private RepositoryAccess changeable(RepositoryPath path, UriInfo uri) {
    var granted = access.toChange(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    return granted;
  }
}

package dev.cairn.tenant;

import static dev.cairn.access.Permission.REPO_ADMIN;
import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryPath;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.Map;

/** A repository itself; what it holds has resources of its own. */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class RepositoryResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Repositories repositories;
  private final RepositoryReads reads;

  RepositoryResource(
      CurrentCaller caller,
      Authorizer authorizer,
      Repositories repositories,
      RepositoryReads reads) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.repositories = repositories;
    this.reads = reads;
  }

  /** One repository. */
  @GET
  public RepositoryView get(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    var access = authorizer.repository(caller.get(), path.org(), path.repo(), REPO_READ);
    QueryParameters.none(uri);
    return reads.get(access);
  }

  /** Changes one; its name, visibility and archiving take {@code repo:admin}. */
  @PATCH
  @Consumes(MediaType.APPLICATION_JSON)
  public RepositoryView update(
      @BeanParam RepositoryPath path, InputStream body, @Context UriInfo uri) {
    var access =
        authorizer
            .repository(caller.get(), path.org(), path.repo(), REPO_CONFIGURE, REPO_ADMIN)
            .requireUnrestricted();
    QueryParameters.none(uri);
    var change = RequestBody.read(body, RepositoryChange.class);
    return repositories.update(access, change);
  }

  /** Deletes one with all that it holds. */
  @DELETE
  public Map<String, Boolean> delete(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    var access =
        authorizer
            .repository(caller.get(), path.org(), path.repo(), REPO_ADMIN)
            .requireUnrestricted();
    QueryParameters.none(uri);
    repositories.delete(access);
    return Map.of("ok", true);
  }
}

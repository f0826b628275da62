package dev.cairn.subscription;

import static dev.cairn.access.Permission.REPO_CONFIGURE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.http.QueryParameters;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.UriInfo;

/** Credential sets of a repository. */
@Path("/api/repos/{org}/{repo}/credential-sets")
public class RepositoryCredentialSetResource extends CredentialSetResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;

  RepositoryCredentialSetResource(
      CurrentCaller caller, Authorizer authorizer, ManagedCredentials credentials) {
    super(credentials);
    this.caller = caller;
    this.authorizer = authorizer;
  }

  @Override
  CredentialOwner owner(UriInfo uri) {
    var path = uri.getPathParameters();
    var access =
        authorizer
            .repository(caller.get(), path.getFirst("org"), path.getFirst("repo"), REPO_CONFIGURE)
            .requireUnrestricted();
    QueryParameters.none(uri);
    return new CredentialOwner.OfRepository(access);
  }
}

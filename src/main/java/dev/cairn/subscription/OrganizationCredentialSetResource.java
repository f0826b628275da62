package dev.cairn.subscription;

import static dev.cairn.access.Permission.ORG_CONFIGURE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.http.QueryParameters;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.UriInfo;

/** Credential sets of an organization. */
@Path("/api/orgs/{org}/credential-sets")
public class OrganizationCredentialSetResource extends CredentialSetResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;

  OrganizationCredentialSetResource(
      CurrentCaller caller, Authorizer authorizer, ManagedCredentials credentials) {
    super(credentials);
    this.caller = caller;
    this.authorizer = authorizer;
  }

  @Override
  CredentialOwner owner(UriInfo uri) {
    var org = uri.getPathParameters().getFirst("org");
    var access = authorizer.organization(caller.get(), org, ORG_CONFIGURE);
    QueryParameters.none(uri);
    return new CredentialOwner.OfOrganization(access);
  }
}

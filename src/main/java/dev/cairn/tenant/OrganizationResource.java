package dev.cairn.tenant;

import static dev.cairn.access.Permission.ORG_ADMIN;
import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.ORG_READ;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;

/** Organizations, their members, and the repositories in them. */
@Path("/api/orgs")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class OrganizationResource {
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Organizations organizations;
  private final Members members;
  private final Repositories repositories;
  private final RepositoryReads repositoryReads;
  private final AuditLog audit;
  private final BaseUrl baseUrl;

  /** Body that makes an organization. */
  @RegisterForReflection
  record NewOrganization(String name, String displayName, String description) {}

  /** Body that sets a member's role. */
  @RegisterForReflection
  record NewRole(String role) {}

  /** Body that makes a repository. */
  @RegisterForReflection
  record NewRepository(String name, String description, String visibility) {}

  OrganizationResource(
      CurrentCaller caller,
      Authorizer authorizer,
      Organizations organizations,
      Members members,
      Repositories repositories,
      RepositoryReads repositoryReads,
      AuditLog audit,
      BaseUrl baseUrl) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.organizations = organizations;
    this.members = members;
    this.repositories = repositories;
    this.repositoryReads = repositoryReads;
    this.audit = audit;
    this.baseUrl = baseUrl;
  }

  /** The caller's organizations. */
  @GET
  public Page<OrganizationView> list(@Context UriInfo uri) {
    var account = caller.account();
    var parameters = QueryParameters.of(uri, PAGED);
    return organizations.of(account, Page.limit(parameters), parameters.text(CURSOR));
  }

  /** Makes an organization; its owner is the caller. */
  @POST
  public Response create(
      InputStream body, @Context UriInfo uri, @Context HttpServerRequest request) {
    var account = caller.unrestricted();
    QueryParameters.none(uri);
    var wanted = RequestBody.read(body, NewOrganization.class);
    var created =
        organizations.create(account, wanted.name(), wanted.displayName(), wanted.description());
    return baseUrl.created(request, "/api/orgs/" + created.name(), created);
  }

  /** One organization. */
  @GET
  @Path("{org}")
  public OrganizationView get(@PathParam("org") String org, @Context UriInfo uri) {
    var access = authorizer.visibleOrganization(caller.get(), org);
    QueryParameters.none(uri);
    return organizations.get(access);
  }

  /** Changes one; its name and archiving take {@code org:admin}. */
  @PATCH
  @Path("{org}")
  public OrganizationView update(
      @PathParam("org") String org, InputStream body, @Context UriInfo uri) {
    var access = authorizer.organization(caller.get(), org, ORG_CONFIGURE, ORG_ADMIN);
    QueryParameters.none(uri);
    var change = RequestBody.read(body, OrganizationChange.class);
    return organizations.update(access, change);
  }

  /** Who did what. */
  @GET
  @Path("{org}/audit")
  public Page<AuditLog.AuditEvent> audit(@PathParam("org") String org, @Context UriInfo uri) {
    var access = authorizer.organization(caller.get(), org, ORG_ADMIN);
    var parameters = QueryParameters.of(uri, PAGED);
    return audit.list(access, Page.limit(parameters), parameters.text(CURSOR));
  }

  /** The members. */
  @GET
  @Path("{org}/members")
  public Page<Members.MemberView> members(@PathParam("org") String org, @Context UriInfo uri) {
    var access = authorizer.organization(caller.get(), org, ORG_READ);
    var parameters = QueryParameters.of(uri, PAGED);
    return members.list(access, Page.limit(parameters), parameters.text(CURSOR));
  }

  /** Gives an account a role. */
  @PUT
  @Path("{org}/members/{email}")
  public Members.MemberView setMember(
      @PathParam("org") String org,
      @PathParam("email") String email,
      InputStream body,
      @Context UriInfo uri) {
    var access = authorizer.organization(caller.get(), org, ORG_CONFIGURE);
    QueryParameters.none(uri);
    return members.set(access, email, () -> RequestBody.read(body, NewRole.class).role());
  }

  /** Takes a membership away; everybody may end their own. */
  @DELETE
  @Path("{org}/members/{email}")
  @Consumes(MediaType.WILDCARD)
  public Map<String, Boolean> removeMember(
      @PathParam("org") String org, @PathParam("email") String email, @Context UriInfo uri) {
    boolean own = members.isAddressOf(caller.get(), email);
    var access = authorizer.toEndMembership(caller.get(), org, own);
    QueryParameters.none(uri);
    members.remove(access, email);
    return Map.of("ok", true);
  }

  /** The public repositories, and those that the caller may read. */
  @GET
  @Path("{org}/repos")
  public Page<RepositoryView> repositories(@PathParam("org") String org, @Context UriInfo uri) {
    var access = authorizer.visibleOrganization(caller.get(), org);
    var parameters = QueryParameters.of(uri, PAGED);
    return repositoryReads.list(access, Page.limit(parameters), parameters.text(CURSOR));
  }

  /** Makes a repository. */
  @POST
  @Path("{org}/repos")
  public Response createRepository(
      @PathParam("org") String org,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    var access = authorizer.organization(caller.get(), org, ORG_CONFIGURE);
    QueryParameters.none(uri);
    var wanted = RequestBody.read(body, NewRepository.class);
    var created =
        repositories.create(access, wanted.name(), wanted.description(), wanted.visibility());
    var path = "/api/repos/" + created.orgName() + "/" + created.name();
    return baseUrl.created(request, path, created);
  }
}

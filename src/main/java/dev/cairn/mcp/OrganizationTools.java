package dev.cairn.mcp;

import static dev.cairn.access.Permission.ORG_ADMIN;
import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.ORG_READ;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.platform.page.Page;
import dev.cairn.tenant.Members;
import dev.cairn.tenant.OrganizationChange;
import dev.cairn.tenant.Organizations;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tools for organizations and their members; {@code docs/access.md}. */
@ApplicationScoped
class OrganizationTools implements ToolSource {
  private static final String CATEGORY = "Organizations";
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Organizations organizations;
  private final Members members;

  OrganizationTools(
      CurrentCaller caller, Authorizer authorizer, Organizations organizations, Members members) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.organizations = organizations;
    this.members = members;
  }

  @Override
  public int order() {
    return 2;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.ADMIN);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("org_list", "List your organizations")
            .describedAs("The organizations that you are a member of. Next: repo_list.")
            .handledBy(CATEGORY, this::list),
        Tool.ofRoute("org_get", "Read an organization")
            .describedAs(
                "An organization's name, description, your role in it, and how much of its quotas it"
                    + " uses.")
            .handledBy(
                CATEGORY,
                call ->
                    organizations.get(authorizer.visibleOrganization(caller.get(), call.org()))),
        Tool.ofRoute("org_create", "Create an organization")
            .withEffect(Effect.ADDS)
            .describedAs("Creates an organization that you own. Next: repo_create.")
            .handledBy(CATEGORY, this::create),
        Tool.ofRoute("org_update", "Change an organization")
            .withEffect(Effect.SETS)
            .describedAs(
                "Changes the given members. A new `name` changes every wref to its content.")
            .handledBy(CATEGORY, call -> update(call, call.as(OrganizationChange.class))),
        Tool.named("org_archive", "Archive an organization")
            .withEffect(Effect.SETS)
            .describedAs(
                "Stops writes to it and its repositories; org_unarchive allows them again.")
            .takesLike("org_get", "org")
            .returnsLike("org_get")
            .handledBy(CATEGORY, call -> update(call, archived(true))),
        Tool.named("org_unarchive", "Unarchive an organization")
            .withEffect(Effect.SETS)
            .describedAs("Allows writes again.")
            .takesLike("org_get", "org")
            .returnsLike("org_get")
            .handledBy(CATEGORY, call -> update(call, archived(false))),
        Tool.ofRoute("org_member_list", "List members")
            .describedAs("The members of an organization with their roles.")
            .handledBy(CATEGORY, this::members),
        Tool.ofRoute("org_member_set", "Set a member's role")
            .withEffect(Effect.SETS)
            .describedAs(
                "Makes an account a member, or changes its role. An address without an account is invited.")
            .handledBy(CATEGORY, this::setMember),
        Tool.ofRoute("org_member_remove", "Remove a member")
            .deleting("email")
            .describedAs("Removes an account from the organization; you may remove yourself.")
            .handledBy(CATEGORY, this::removeMember));
  }

  private static OrganizationChange archived(boolean archived) {
    return new OrganizationChange(null, null, null, archived);
  }

  private Object list(ToolCall call) {
    var account = caller.account();
    var parameters = call.parameters(PAGED);
    return organizations.of(account, Page.limit(parameters), parameters.text(CURSOR));
  }

  private Object create(ToolCall call) {
    var account = caller.unrestricted();
    return organizations.create(
        account,
        call.required("name"),
        call.text("displayName").orElse(null),
        call.text("description").orElse(null));
  }

  private Object update(ToolCall call, OrganizationChange change) {
    var access = authorizer.organization(caller.get(), call.org(), ORG_CONFIGURE, ORG_ADMIN);
    return organizations.update(access, change);
  }

  private Object members(ToolCall call) {
    var access = authorizer.organization(caller.get(), call.org(), ORG_READ);
    var parameters = call.parameters(PAGED);
    return members.list(access, Page.limit(parameters), parameters.text(CURSOR));
  }

  private Object setMember(ToolCall call) {
    var access = authorizer.organization(caller.get(), call.org(), ORG_CONFIGURE);
    return members.set(access, call.required("email"), () -> call.required("role"));
  }

  private Object removeMember(ToolCall call) {
    var email = call.required("email");
    boolean own = members.isAddressOf(caller.get(), email);
    members.remove(authorizer.toEndMembership(caller.get(), call.org(), own), email);
    return Map.of("ok", true);
  }
}

package dev.cairn.mcp;

import static dev.cairn.access.Permission.ORG_ADMIN;
import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.ORG_READ;
import static dev.cairn.platform.Page.CURSOR;
import static dev.cairn.platform.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.platform.Page;
import dev.cairn.tenant.Members;
import dev.cairn.tenant.OrganizationChange;
import dev.cairn.tenant.Organizations;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
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
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("org_list", "List your organizations")
            .describedAs("The organizations that you are a member of. Next: repo_list.")
            .by(CATEGORY, this::list),
        Tool.ofRoute("org_get", "Read an organization")
            .describedAs(
                "An organization's name, description, your role in it, and how much it uses of its"
                    + " quotas.")
            .by(
                CATEGORY,
                call ->
                    organizations.get(authorizer.visibleOrganization(caller.get(), call.org()))),
        Tool.ofRoute("org_create", "Make an organization")
            .that(Effect.ADDS)
            .describedAs("Makes an organization that you own. Next: repo_create.")
            .by(CATEGORY, this::create),
        Tool.ofRoute("org_update", "Change an organization")
            .that(Effect.SETS)
            .describedAs("Changes what is given. A new `name` changes every wref into it.")
            .by(CATEGORY, call -> update(call, call.as(OrganizationChange.class))),
        Tool.named("org_archive", "Archive an organization")
            .that(Effect.SETS)
            .describedAs("Closes it and its repositories to writes; org_unarchive opens it again.")
            .takesAs("org_get", "org")
            .givesAs("org_get")
            .by(CATEGORY, call -> update(call, archived(true))),
        Tool.named("org_unarchive", "Open an archived organization")
            .that(Effect.SETS)
            .describedAs("Takes writes again.")
            .takesAs("org_get", "org")
            .givesAs("org_get")
            .by(CATEGORY, call -> update(call, archived(false))),
        Tool.ofRoute("org_member_list", "List members")
            .describedAs("The members of an organization with their roles.")
            .by(CATEGORY, this::members),
        Tool.ofRoute("org_member_set", "Give a role")
            .that(Effect.SETS)
            .describedAs(
                "Makes an account a member, or changes its role. Who has none yet is invited.")
            .by(CATEGORY, this::setMember),
        Tool.ofRoute("org_member_remove", "End a membership")
            .that(Effect.DESTROYS)
            .describedAs("Takes an account's role away; you may end your own.")
            .by(CATEGORY, this::removeMember));
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
        account.accountId(),
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

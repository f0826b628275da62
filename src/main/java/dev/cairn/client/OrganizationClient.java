package dev.cairn.client;

import java.util.stream.Stream;

/**
 * An organization with its members, repositories, audit log and credential sets: {@code
 * docs/access.md}.
 */
public final class OrganizationClient {
  private final Transport transport;
  private final String name;

  OrganizationClient(Transport transport, String name) {
    this.transport = transport;
    this.name = name;
  }

  /** The organization; members see all of it. */
  public Organization getOrganization() {
    return transport.json(Call.get("api", "orgs", name), Organization.class);
  }

  /** Changes the organization; what is null stays. */
  public Organization updateOrganization(OrganizationChange change) {
    return transport.json(Call.patch("api", "orgs", name).json(change), Organization.class);
  }

  /** The audit log, newest first. */
  public Stream<AuditEvent> listAuditEvents() {
    return Pages.stream(this::listAuditEventsPage);
  }

  /** A page of {@link #listAuditEvents}. */
  public AuditPage listAuditEventsPage(Paging page) {
    return transport.json(get("audit").query(page), AuditPage.class);
  }

  /** Members and invitations, by e-mail address. */
  public Stream<Member> listMembers() {
    return Pages.stream(this::listMembersPage);
  }

  /** A page of {@link #listMembers}. */
  public MemberPage listMembersPage(Paging page) {
    return transport.json(get("members").query(page), MemberPage.class);
  }

  /** Makes an account a member, invites an address without an account, or changes a role. */
  public Member setMember(String email, NewRole role) {
    return transport.json(Call.put("api", "orgs", name, "members", email).json(role), Member.class);
  }

  /** Ends a membership, or withdraws an invitation. */
  public void removeMember(String email) {
    transport.run(Call.delete("api", "orgs", name, "members", email));
  }

  /** The repositories that the caller may see, by name. */
  public Stream<Repository> listRepositories() {
    return Pages.stream(this::listRepositoriesPage);
  }

  /** A page of {@link #listRepositories}. */
  public RepositoryPage listRepositoriesPage(Paging page) {
    return transport.json(get("repos").query(page), RepositoryPage.class);
  }

  /** Creates a repository, which is private by default. */
  public Repository createRepository(NewRepository request) {
    return transport.json(Call.post("api", "orgs", name, "repos").json(request), Repository.class);
  }

  /** The organization's credential sets, for all of its repositories. */
  public CredentialSetsClient credentialSets() {
    return new CredentialSetsClient(transport, "api", "orgs", name, "credential-sets");
  }

  private Call get(String collection) {
    return Call.get("api", "orgs", name, collection);
  }
}

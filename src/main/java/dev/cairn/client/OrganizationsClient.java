package dev.cairn.client;

import java.util.stream.Stream;

/** The caller's organizations; the rules are in {@code docs/access.md}. */
public final class OrganizationsClient {
  private final Transport transport;

  OrganizationsClient(Transport transport) {
    this.transport = transport;
  }

  /** The organizations that the caller is a member of, by name. */
  public Stream<Organization> listOrganizations() {
    return Pages.stream(this::listOrganizationsPage);
  }

  /** A page of {@link #listOrganizations}. */
  public OrganizationPage listOrganizationsPage(Paging page) {
    return transport.json(Call.get("api", "orgs").query(page), OrganizationPage.class);
  }

  /** Creates an organization, whose owner the caller becomes. */
  public Organization createOrganization(NewOrganization request) {
    return transport.json(Call.post("api", "orgs").json(request), Organization.class);
  }
}

package dev.cairn.subscription;

import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.RepositoryAccess;

/** What a credential set belongs to, and by which right it is managed. */
public sealed interface CredentialOwner {
  /** Who manages it. */
  SignedIn account();

  /** A repository. */
  record OfRepository(RepositoryAccess access) implements CredentialOwner {
    @Override
    public SignedIn account() {
      return access.account();
    }
  }

  /** An organization, whose sets are there for all of its repositories. */
  record OfOrganization(OrganizationAccess access) implements CredentialOwner {
    @Override
    public SignedIn account() {
      return access.account();
    }
  }
}

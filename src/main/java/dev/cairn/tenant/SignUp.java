package dev.cairn.tenant;

import dev.cairn.access.Account;
import dev.cairn.access.Accounts;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** Makes an account with its personal organization and the memberships that waited for it. */
@ApplicationScoped
public class SignUp {
  private final Accounts accounts;
  private final Organizations organizations;
  private final Members members;

  SignUp(Accounts accounts, Organizations organizations, Members members) {
    this.accounts = accounts;
    this.organizations = organizations;
    this.members = members;
  }

  /**
   * Makes all of them or nothing.
   *
   * @param displayName null for the part of the address before the {@code @}
   */
  @Transactional
  public Account create(String email, String displayName, String password) {
    var localPart = email.substring(0, Math.max(email.indexOf('@'), 0));
    var account = accounts.create(email, displayName == null ? localPart : displayName, password);
    organizations.createPersonal(account.id, localPart);
    members.acceptInvitations(account);
    return account;
  }
}

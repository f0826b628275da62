package dev.cairn.tenant;

import dev.cairn.access.EmailAddress;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.authentication.Account;
import dev.cairn.access.authentication.AccountRegistration;
import dev.cairn.access.authentication.Accounts;
import dev.cairn.access.authentication.ExternalIdentity;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;

/** Makes an account with its personal organization and the memberships that waited for it. */
@ApplicationScoped
public class SignUp implements AccountRegistration {
  private final Accounts accounts;
  private final Organizations organizations;
  private final Members members;
  private final Database database;
  private final CredentialLimiter credentialLimiter;
  private final AccountAudit audit;

  SignUp(
      Accounts accounts,
      Organizations organizations,
      Members members,
      Database database,
      CredentialLimiter credentialLimiter,
      AccountAudit audit) {
    this.accounts = accounts;
    this.organizations = organizations;
    this.members = members;
    this.database = database;
    this.credentialLimiter = credentialLimiter;
    this.audit = audit;
  }

  /**
   * Makes all of them or nothing. Must not be called in a transaction, unless the service itself
   * makes the account: it waits for its turn.
   *
   * @param displayName null for the part of the address before the {@code @}
   * @param address the network address of the caller; null if the service itself makes the account
   */
  public Account create(String email, String displayName, String password, String address) {
    var hash = accounts.hash(email, password, address);
    return address == null
        ? database.transaction(() -> created(email, displayName, hash))
        : credentialLimiter.ofAddress(
            ofName(email), address, () -> created(email, displayName, hash));
  }

  private Account created(String email, String displayName, String hash) {
    var name = displayName == null ? localPart(email) : displayName;
    var account = accounts.create(email, name, hash);
    settle(account);
    return account;
  }

  /** The sign-ups that wait for one another: those with one name of a personal organization. */
  private static String ofName(String email) {
    return "sign-ups:" + EmailAddress.folded(localPart(email));
  }

  /**
   * Makes the first account if an external issuer signs people in: it waits for the person that the
   * issuer says the address belongs to.
   */
  public Account createWaiting(String email, String displayName) {
    return database.transaction(
        () -> {
          var account = accounts.createWaiting(email, displayName);
          organizations.createPersonal(account.id, localPart(email));
          return account;
        });
  }

  /**
   * Two first requests at once make one account: the second one waits, and finds it. Tokens are
   * verified on threads of their own, which bound the connections of this too.
   */
  @Override
  public Account register(ExternalIdentity identity) {
    return database.transaction(() -> registered(identity));
  }

  private Account registered(ExternalIdentity identity) {
    database.lockName(identity.issuer() + " " + identity.subject());
    return accounts
        .byIdentity(identity)
        .orElseGet(
            () -> {
              var account = accounts.create(identity);
              settle(account);
              return account;
            });
  }

  private void settle(Account account) {
    audit.record(account.id, "account.created", account.email, null, Map.of());
    organizations.createPersonalIfMissing(account.id, localPart(account.email));
    members.acceptInvitations(account);
  }

  private static String localPart(String email) {
    return email.substring(0, Math.max(email.indexOf('@'), 0));
  }
}

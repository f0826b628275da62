package dev.cairn.oauth;

import dev.cairn.access.Caller;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.audit.AuditLog;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.UUID;

/** Records consents in the audit logs. */
@ApplicationScoped
class Consents {
  private final AuditLog organizations;
  private final AccountAudit account;

  Consents(AuditLog organizations, AccountAudit account) {
    this.organizations = organizations;
    this.account = account;
  }

  /**
   * Adds an account's consent to its own log, and to those of the organizations that it reaches.
   *
   * @param address the network address of the person
   */
  void record(UUID accountId, Client client, GrantScope grantScope, String address) {
    var caller = Caller.agreeing(accountId, grantScope.scope(), address);
    organizations.recordToken(caller, caller.token().scopes(), "token.authorized", client.name());
    var details = new HashMap<String, String>();
    details.put("client", client.id());
    details.put("scope", grantScope.scope());
    account.record(accountId, "token.authorized", client.name(), address, details);
  }
}

package dev.cairn.oauth;

import dev.cairn.access.Caller;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.UUID;

/** Records consents in the audit logs. */
@ApplicationScoped
class Consents {
  private final AuditLog organizations;
  private final AccountAudit account;
  private final RateLimiter limiter;
  private final int perHour;

  Consents(AuditLog organizations, AccountAudit account, RateLimiter limiter, CairnConfig config) {
    this.organizations = organizations;
    this.account = account;
    this.limiter = limiter;
    this.perHour = config.limits().sessionsPerHour();
  }

  /**
   * Adds an account's consent to its own log, and to those of the organizations that it reaches.
   *
   * @param address the network address of the person
   * @throws Problem {@code RATE_LIMITED} if the account consented too often
   */
  void record(UUID accountId, Client client, GrantScope grantScope, String address) {
    limiter.take("consents", "account:" + accountId, perHour, Duration.ofHours(1));
    var caller = Caller.agreeing(accountId, grantScope.scope(), address);
    organizations.recordToken(caller, caller.token().scopes(), "token.authorized", client.name());
    var details = new HashMap<String, String>();
    details.put("client", client.id());
    details.put("scope", grantScope.scope());
    account.record(accountId, "token.authorized", client.name(), address, details);
  }
}

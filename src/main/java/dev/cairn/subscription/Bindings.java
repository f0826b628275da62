package dev.cairn.subscription;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.conditional.IfMatch;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.model.Problem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Set;

/** Binds credential sets to subscriptions: {@code docs/subscriptions.md}. */
@ApplicationScoped
public class Bindings {
  private final ChangeLimiter changeLimiter;
  private final LockedSubscriptions locked;
  private final SubscriptionReads reads;
  private final Principals principals;
  private final CredentialSets credentials;
  private final ChangeRateLimit changes;
  private final AuditLog audit;

  /**
   * The answer to a new binding.
   *
   * @param subscription as it is bound, which shows where the secrets go
   */
  @RegisterForReflection
  public record Bound(
      boolean bound,
      String subscriptionName,
      String credentialSetName,
      SubscriptionView subscription) {}

  /** The answer to the removal of a binding. */
  @RegisterForReflection
  public record Unbound(boolean unbound, String subscriptionName) {}

  Bindings(
      ChangeLimiter changeLimiter,
      LockedSubscriptions locked,
      SubscriptionReads reads,
      Principals principals,
      CredentialSets credentials,
      ChangeRateLimit changes,
      AuditLog audit) {
    this.changeLimiter = changeLimiter;
    this.locked = locked;
    this.reads = reads;
    this.principals = principals;
    this.credentials = credentials;
    this.changes = changes;
    this.audit = audit;
  }

  /**
   * Sends its calls with the secrets of a credential set from now on.
   *
   * @throws Problem {@code NOT_FOUND} for a set that neither the repository nor its organization
   *     has, {@code CONFLICT} for a revoked one, {@code VALIDATION_ERROR} for one with a key that
   *     no sprite may have as a variable, {@code PRECONDITION_FAILED}, {@code RATE_LIMITED}
   */
  public Bound bind(
      RepositoryAccess access, String name, IfMatch ifMatch, String credentialSetName) {
    changes.take(access.account());
    access.undelegated().requiring(PrincipalRules.toAct(access, Set.of(), true));
    return changeLimiter.call(
        access,
        () -> {
          var subscription = locked.take(access, name, ifMatch);
          principals.takeOver(access, subscription, true);
          bind(access, subscription, credentialSetName);
          subscription.save();
          return new Bound(true, name, credentialSetName, reads.find(access, name));
        });
  }

  /**
   * The same for a subscription that is locked or new, and acts for the caller, who may bind it.
   *
   * @throws Problem as the other one, for the set
   */
  void bind(RepositoryAccess access, Subscription subscription, String credentialSetName) {
    credentials.requireUsable(access.repoId(), credentialSetName);
    subscription.credentialSet = credentialSetName;
    credentials.refuseUnfit(subscription, "/credentialSetName");
    audit.record(
        access,
        "subscription.bound",
        subscription.name,
        Map.of("credentialSet", credentialSetName));
  }

  /**
   * Sends its calls without secrets from now on. Does nothing if it does already. If the principal
   * has lost the right to use them, it stays the principal: the removal of secrets must not start a
   * command of an account that has left.
   *
   * @throws Problem {@code PRECONDITION_FAILED}, and as any change of what it does
   */
  public Unbound unbind(RepositoryAccess access, String name, IfMatch ifMatch) {
    access.undelegated().requiring(PrincipalRules.toSet(access));
    locked.change(
        access,
        name,
        ifMatch,
        subscription -> {
          principals.requireToAct(access, subscription, false);
          if (subscription.credentialSet == null) {
            return;
          }
          if (credentials.mayUse(access.repoId(), subscription.principalId)) {
            principals.replace(subscription, access);
          }
          subscription.credentialSet = null;
          audit.record(access, "subscription.unbound", name, Map.of());
        });
    return new Unbound(true, name);
  }
}

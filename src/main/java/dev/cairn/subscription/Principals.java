package dev.cairn.subscription;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.platform.http.BaseUrl;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;

/** The accounts that subscriptions act for: {@code docs/subscriptions.md}, Principal. */
@ApplicationScoped
class Principals {
  private final LockedSubscriptions locked;
  private final Sources sources;
  private final CurrentVertxRequest request;
  private final BaseUrl baseUrl;

  Principals(
      LockedSubscriptions locked, Sources sources, CurrentVertxRequest request, BaseUrl baseUrl) {
    this.locked = locked;
    this.sources = sources;
    this.request = request;
    this.baseUrl = baseUrl;
  }

  /**
   * Makes the caller the principal. The base URL comes from the same request: tokens of the
   * principal's runs are sent there, so no other account may have chosen it.
   */
  void replace(Subscription subscription, RepositoryAccess access) {
    subscription.principalId = access.account().accountId();
    subscription.baseUrl = baseUrl.ofRuns(request.getCurrent().request());
  }

  /**
   * Makes the caller the principal of a subscription that acts.
   *
   * @param binds whether a credential set becomes bound by it
   * @throws dev.cairn.model.Problem as {@link #requireToAct}
   */
  void takeOver(RepositoryAccess access, Subscription subscription, boolean binds) {
    requireToAct(access, subscription, binds);
    replace(subscription, access);
  }

  /**
   * Refuses a caller that may not let the subscription act as it does, or may not read what it
   * watches.
   *
   * @param binds whether a credential set becomes bound by it
   * @throws dev.cairn.model.Problem {@code FORBIDDEN}, {@code UNAUTHENTICATED} for a token that was
   *     just revoked, {@code ARCHIVED}, {@code NOT_FOUND} for what it watches
   */
  void requireToAct(RepositoryAccess access, Subscription subscription, boolean binds) {
    boolean bound = binds || subscription.credentialSet != null;
    locked.require(access, PrincipalRules.toAct(access, subscription.tokenPermissions(), bound));
    sources.refuseUnreadable(access, subscription);
  }
}

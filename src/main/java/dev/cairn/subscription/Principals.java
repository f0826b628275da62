package dev.cairn.subscription;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.platform.BaseUrl;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;

/** The accounts that subscriptions act for: {@code docs/subscriptions.md}, Principal. */
@ApplicationScoped
class Principals {
  private final CurrentVertxRequest request;
  private final BaseUrl baseUrl;

  Principals(CurrentVertxRequest request, BaseUrl baseUrl) {
    this.request = request;
    this.baseUrl = baseUrl;
  }

  /**
   * Makes the caller the principal. The base URL comes from the same request: tokens of the
   * principal's runs are sent there, so nobody else may have chosen it.
   */
  void replace(Subscription subscription, RepositoryAccess access) {
    subscription.principalId = access.account().accountId();
    subscription.baseUrl = baseUrl.of(request.getCurrent().request());
  }
}

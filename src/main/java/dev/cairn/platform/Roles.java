package dev.cairn.platform;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Sends requests elsewhere that come to a replica without the role {@code api}. */
@Singleton
class Roles {
  /** Behind {@link RequestLimits}. */
  private static final int SECOND = 900;

  private final CairnConfig config;

  Roles(CairnConfig config) {
    this.config = config;
  }

  void register(@Observes Filters filters) {
    if (!config.roles().contains(CairnConfig.Role.API)) {
      filters.register(Roles::check, SECOND);
    }
  }

  private static void check(RoutingContext context) {
    var path = context.normalizedPath();
    if (path.startsWith("/q/") || path.startsWith("/internal/")) {
      context.next();
    } else {
      var problem = Problem.of(ErrorCode.UNAVAILABLE, "This replica answers no requests.");
      ProblemDocument.end(context.response().putHeader("Retry-After", "1"), problem);
    }
  }
}

package dev.cairn.platform.operation;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.FilterPriority;
import dev.cairn.platform.http.ProblemDocument;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Refuses requests that come to a replica without the role {@code api}. */
@Singleton
class Roles {
  private final CairnConfig config;

  Roles(CairnConfig config) {
    this.config = config;
  }

  void register(@Observes Filters filters) {
    if (!config.roles().contains(CairnConfig.Role.API)) {
      filters.register(Roles::check, FilterPriority.ROLES);
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

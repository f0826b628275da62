package dev.cairn.platform.operation;

import dev.cairn.model.Problem;
import dev.cairn.platform.http.ProblemDocument;
import dev.cairn.platform.http.RouteMethods;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Refuses methods and paths that health checks, metrics and the OpenAPI document do not have: their
 * extensions answer any method like GET, and any path below that of the metrics. Groups of health
 * checks and the check {@code well} are empty, and would always report that all is well.
 */
@Singleton
class ManagementRequests {
  /** Runs before the routes of the extensions and after authentication. */
  private static final int ORDER = -10;

  void register(@Observes Router router) {
    router
        .routeWithRegex("/q/(?:metrics/.+|health/(?!(?:live|ready|started)/?$).+)")
        .order(ORDER)
        .handler(
            context ->
                ProblemDocument.end(
                    context.response(), Problem.notFound("There is nothing at this path.")));
    router
        .routeWithRegex("/q/(?:(?:health|metrics)(?:/.*)?|openapi(?:\\.\\w+)?)")
        .order(ORDER)
        .handler(ManagementRequests::checkMethod);
  }

  private static void checkMethod(RoutingContext context) {
    if (RouteMethods.READ.allowsOrAnswers(context)) {
      context.next();
    }
  }
}

package dev.cairn.platform.operation;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.ProblemDocument;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;

/**
 * Refuses methods and paths that health checks, metrics and the OpenAPI document do not have: their
 * extensions answer any method like GET, and any path below that of the metrics. Groups of health
 * checks and the check {@code well} are empty, and would always report that all is well.
 */
@Singleton
class ManagementRequests {
  /** Runs before the routes of the extensions and after authentication. */
  private static final int ORDER = -10;

  private static final Set<HttpMethod> ALLOWED = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  void register(@Observes Router router) {
    router
        .routeWithRegex("/q/(?:(?:health|metrics)(?:/.*)?|openapi(?:\\.\\w+)?)")
        .order(ORDER)
        .handler(ManagementRequests::checkMethod);
    router
        .routeWithRegex("/q/(?:metrics/.+|health/(?:group|well)(?:/.*)?)")
        .order(ORDER)
        .handler(
            context ->
                ProblemDocument.end(
                    context.response(), Problem.notFound("There is nothing at this path.")));
  }

  private static void checkMethod(RoutingContext context) {
    if (ALLOWED.contains(context.request().method())) {
      context.next();
    } else {
      ProblemDocument.end(
          context.response().putHeader("Allow", "GET, HEAD"),
          Problem.of(ErrorCode.METHOD_NOT_ALLOWED, "The path exists, but only for GET and HEAD."));
    }
  }
}

package dev.cairn.platform.http;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * The methods of a route that is not a REST resource: {@code docs/api.md}, Conventions.
 *
 * @param names all but {@code OPTIONS}, which every route has
 */
public record RouteMethods(List<String> names) {
  /** The methods of what can only be read. */
  public static final RouteMethods READ = new RouteMethods(List.of("GET", "HEAD"));

  /**
   * Whether the route has the method of a request. If it does not, the request is answered: {@code
   * OPTIONS} with the methods in {@code Allow}, any other method with 405.
   */
  public boolean allowsOrAnswers(RoutingContext context) {
    var method = context.request().method();
    if (names.contains(method.name())) {
      return true;
    }
    context.response().putHeader("Allow", String.join(", ", names) + ", OPTIONS");
    if (method.equals(HttpMethod.OPTIONS)) {
      context.response().end().onFailure(context::fail);
    } else {
      ProblemDocument.end(
          context.response(),
          Problem.of(
              ErrorCode.METHOD_NOT_ALLOWED,
              "The path exists, but only for %s.".formatted(String.join(" and ", names))));
    }
    return false;
  }
}

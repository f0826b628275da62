package dev.cairn.platform.http;

import dev.cairn.platform.CairnConfig;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Cross-origin resource sharing (CORS): lets pages of other sites call what takes a token or
 * nothing. The pages of the service itself, which take cookies, are open to no other origin. See
 * {@code docs/api.md}, Calls from browsers.
 */
@Singleton
public class CrossOrigin {
  private static final Pattern OPEN =
      Pattern.compile(
          "/(api|mcp|\\.well-known)(/.*)?|/oauth/(token|register|revoke|device_authorization)"
              + "|/q/openapi(\\.\\w+)?|/llms\\.txt|/[^/]+/[^/]+/(readme\\.md|agents\\.md|llms\\.txt)");

  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

  /** The wildcard does not stand for the first one. */
  private static final String HEADERS = "Authorization, *";

  private static final String EXPOSED =
      "ETag, Link, Location, Retry-After, WWW-Authenticate, X-Cairn-Repo-Seq";

  private static final String DAY = "86400";
  private static final int NO_CONTENT = 204;

  private final Optional<List<String>> origins;

  CrossOrigin(CairnConfig config) {
    this.origins = config.cors().origins();
  }

  void register(@Observes Filters filters) {
    filters.register(this::share, FilterPriority.CROSS_ORIGIN);
  }

  /** Whether pages of an origin may call. */
  public boolean allows(String origin) {
    return origins.isEmpty() || origins.get().stream().anyMatch(origin::equalsIgnoreCase);
  }

  private void share(RoutingContext context) {
    var request = context.request();
    var path = request.path();
    if (path == null || !OPEN.matcher(path).matches()) {
      context.next();
      return;
    }
    var origin = request.getHeader("Origin");
    boolean isAllowed = origin != null && allows(origin);
    // At the end, since an answer may be begun anew until then.
    context.addHeadersEndHandler(_ -> addTo(context.response(), origin, isAllowed));
    if (isAllowed && isPreflight(request)) {
      RequestLimits.countUnder(RequestLimits.UNMATCHED);
      context
          .response()
          .setStatusCode(NO_CONTENT)
          .putHeader("Access-Control-Allow-Methods", METHODS)
          .putHeader("Access-Control-Allow-Headers", HEADERS)
          .putHeader("Access-Control-Max-Age", DAY)
          .end()
          .onFailure(context::fail);
    } else {
      context.next();
    }
  }

  private static boolean isPreflight(HttpServerRequest request) {
    return request.method().equals(HttpMethod.OPTIONS)
        && request.headers().contains("Access-Control-Request-Method");
  }

  private void addTo(HttpServerResponse response, String origin, boolean isAllowed) {
    if (origins.isPresent()) {
      response.headers().add("Vary", "Origin");
    }
    if (isAllowed) {
      response.putHeader("Access-Control-Allow-Origin", origins.isEmpty() ? "*" : origin);
      response.putHeader("Access-Control-Expose-Headers", EXPOSED);
    }
  }
}

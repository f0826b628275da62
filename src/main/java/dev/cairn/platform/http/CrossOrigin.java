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
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Cross-origin resource sharing (CORS): lets pages of other sites call the routes that take a token
 * or no credentials at all. The pages of the service itself, which take cookies, are open to no
 * other origin. See {@code docs/api.md}, Calls from browsers.
 */
@Singleton
public class CrossOrigin {
  private static final Pattern OPEN_PATHS =
      Pattern.compile(
          "/(api|mcp|\\.well-known)(/.*)?|/oauth/(token|register|revoke|device_authorization)"
              + "|/q/openapi(\\.\\w+)?|/llms\\.txt|/[^/]+/[^/]+/(readme\\.md|agents\\.md|llms\\.txt)");

  private static final Pattern LOOPBACK =
      Pattern.compile("(?i)https?://(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]{1,5})?");

  static final String ANY = "*";

  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

  /** {@code *} does not cover {@code Authorization}, by the Fetch standard. */
  private static final String HEADERS = "Authorization, *";

  private static final String EXPOSED =
      "ETag, Link, Location, Retry-After, WWW-Authenticate, X-Cairn-Repo-Seq";

  private static final String DAY = "86400";
  private static final int NO_CONTENT = 204;

  private final boolean allowsAny;
  private final Set<String> origins;

  CrossOrigin(CairnConfig config) {
    var listed = config.cors().origins().orElse(List.of(ANY));
    this.allowsAny = listed.contains(ANY);
    this.origins =
        listed.stream()
            .map(origin -> origin.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  void register(@Observes Filters filters) {
    filters.register(this::handle, FilterPriority.CROSS_ORIGIN);
  }

  /** Whether pages of every origin may call. */
  public boolean allowsAny() {
    return allowsAny;
  }

  /** Whether pages of an origin may call. */
  public boolean allows(String origin) {
    return allowsAny || origins.contains(origin.toLowerCase(Locale.ROOT));
  }

  /** Whether an origin is one of this machine. */
  public static boolean isOfThisMachine(String origin) {
    return LOOPBACK.matcher(origin).matches();
  }

  private void handle(RoutingContext context) {
    var request = context.request();
    var path = request.path();
    if (path == null || !OPEN_PATHS.matcher(path).matches()) {
      context.next();
      return;
    }
    var origin = request.getHeader("Origin");
    boolean isAllowed = origin != null && allows(origin);
    // At the end, since an answer may be begun again until then.
    context.addHeadersEndHandler(_ -> addTo(context.response(), origin, isAllowed));
    // One whose target or framing is malformed is refused like any request.
    if (isAllowed
        && isPreflight(request)
        && request.uri().length() <= RequestLimits.MAX_URI
        && RequestLimits.fault(context).isEmpty()) {
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

  /** The same for all requests if all origins may call, so that caches may share an answer. */
  private void addTo(HttpServerResponse response, String origin, boolean isAllowed) {
    if (!allowsAny) {
      VaryHeader.add(response, "Origin");
    }
    if (allowsAny || isAllowed) {
      response.putHeader("Access-Control-Allow-Origin", allowsAny ? ANY : origin);
      response.putHeader("Access-Control-Expose-Headers", EXPOSED);
    }
  }
}

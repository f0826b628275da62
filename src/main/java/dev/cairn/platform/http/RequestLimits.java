package dev.cairn.platform.http;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * Refuses requests that are ambiguous or too large, before any other code sees them. The limits of
 * the server are wider, because its refusals have no problem document.
 */
@Singleton
public class RequestLimits {
  private static final Logger LOG = Logger.getLogger(RequestLimits.class);

  /** The maximum length of path and query together, in characters. */
  static final int MAX_URI = 16_384;

  /** The maximum length of all header names and values together, in characters. */
  static final int MAX_HEADERS = 32_768;

  /** The maximum number of header fields: a short field takes many times its length in memory. */
  static final int MAX_HEADER_FIELDS = 200;

  /** The memory of a header field in addition to its characters, in bytes. */
  private static final int FIELD_OVERHEAD = 200;

  /** The maximum length of the body of one request, in bytes. */
  public static final int MAX_BODY = 16 * 1024 * 1024;

  /** The key under which the metrics look up the path of a request. */
  private static final String METRICS_PATH = "UrlPathTemplate";

  /** The path under which requests without an endpoint are counted. */
  public static final String UNMATCHED = "/unmatched";

  private static final int BAD_REQUEST = 400;

  /**
   * The path of streaming submissions, whose bodies have any length, as a regular expression; its
   * groups are the organization, the repository and the stream.
   */
  public static final String SUBMISSIONS = "/api/repos/([^/]+)/([^/]+)/streams/([^/]+)/submissions";

  /** The path of what takes a body of any length by POST. */
  private static final Pattern TAKES_ANY_LENGTH = Pattern.compile(SUBMISSIONS);

  /** The path of what takes a compressed body by POST. */
  private static final Pattern TAKES_COMPRESSED =
      Pattern.compile("/api/repos/[^/]+/[^/]+/commits|" + SUBMISSIONS);

  private static final String IDENTITY = "identity";
  private static final Set<String> GZIP = Set.of(Gzip.NAME, "x-gzip");

  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  void register(@Observes Filters filters) {
    filters.register(RequestLimits::check, FilterPriority.LIMITS);
  }

  /**
   * Requests without a valid {@code Host} (also {@code PRI * HTTP/2.0}), or with a target that is
   * not a path, fail before any route and filter, and would be logged as an error of the service.
   * Requests with a malformed escape even fail before any failure handler.
   */
  void register(@Observes Router router) {
    router.route().order(Integer.MIN_VALUE).failureHandler(RequestLimits::checkFailed);
    router.errorHandler(BAD_REQUEST, RequestLimits::checkUnrouted);
  }

  private static void checkUnrouted(RoutingContext context) {
    countAsUnmatched(context);
    if (!context.response().ended()) {
      refuse(
          context,
          ErrorCode.VALIDATION_ERROR,
          fault(context).orElse("The request cannot be understood."));
    }
  }

  private static void checkFailed(RoutingContext context) {
    countAsUnmatched(context);
    if (context.response().closed()) {
      // Nobody gets an answer; the framework would log whatever failed because of that as an error.
      LOG.debug("a request failed whose client had gone", context.failure());
      return;
    }
    var fault = fault(context);
    if (fault.isPresent()) {
      refuse(context, ErrorCode.VALIDATION_ERROR, fault.get());
    } else if (context.statusCode() == 400 && context.request().authority() == null) {
      refuse(
          context,
          ErrorCode.VALIDATION_ERROR,
          "A request must be valid HTTP/1.1 and have a valid `Host`.");
    } else {
      context.next();
    }
  }

  /**
   * The rule that a request breaks whatever it asks for, as a sentence; empty when it breaks none.
   */
  static Optional<String> fault(RoutingContext context) {
    var request = context.request();
    return MessageFraming.fault(request)
        .or(() -> faultOfUri(request.uri()))
        .or(() -> RequestTarget.faultOfAuthority(request.uri(), request.getHeader("Host")));
  }

  private static Optional<String> faultOfUri(String uri) {
    // No name, pattern or cursor contains U+0000, and the database does not accept it.
    if (uri.contains("%00")) {
      return Optional.of("A URI must not hold %00.");
    }
    return BROKEN_ESCAPE.matcher(uri).find()
        ? Optional.of("In a URI, % begins an escape such as %2F.")
        : RequestTarget.fault(uri);
  }

  private static void check(RoutingContext context) {
    var request = context.request();
    // Requests without an endpoint are counted under this name: a path may contain a secret,
    // and each path would be a time series of its own. Endpoints set their templates instead.
    countUnder(UNMATCHED);
    forbidSniffing(context);
    if (request.uri().length() > MAX_URI) {
      refuse(context, ErrorCode.URI_TOO_LONG, "A URI has at most " + MAX_URI + " characters.");
    } else if (request.headers().entries().size() > MAX_HEADER_FIELDS) {
      refuse(
          context,
          ErrorCode.HEADERS_TOO_LARGE,
          "A request may have at most " + MAX_HEADER_FIELDS + " header fields.");
    } else if (headerSize(request) > MAX_HEADERS) {
      refuse(
          context,
          ErrorCode.HEADERS_TOO_LARGE,
          "All headers together have at most " + MAX_HEADERS + " characters.");
    } else if (contentLength(request) > MAX_BODY && !takes(request, TAKES_ANY_LENGTH)) {
      refuse(
          context, ErrorCode.PAYLOAD_TOO_LARGE, "A body may have at most " + MAX_BODY + " bytes.");
    } else if (!isCodingSupported(request) && !takes(request, TAKES_ANY_LENGTH)) {
      refuseCoding(context);
    } else {
      // A submission has its coding checked once it is known that there is such a path: its refusal
      // differs from that of a path that does not exist.
      fault(context)
          .ifPresentOrElse(
              fault -> refuse(context, ErrorCode.VALIDATION_ERROR, fault), () -> route(context));
    }
  }

  /** Whether the route of a request takes bodies in its content coding. */
  public static boolean isCodingSupported(HttpServerRequest request) {
    return (isCompressed(request) && takesCompressed(request))
        || request.headers().getAll(HttpHeaders.CONTENT_ENCODING).stream()
            .allMatch(coding -> coding.equalsIgnoreCase(IDENTITY));
  }

  private static boolean takesCompressed(HttpServerRequest request) {
    return takes(request, TAKES_COMPRESSED);
  }

  private static boolean takes(HttpServerRequest request, Pattern path) {
    return request.method().equals(HttpMethod.POST)
        && request.path() != null
        && path.matcher(request.path()).matches();
  }

  /**
   * Whether the body of a request is compressed with gzip. Requests whose route does not take that
   * are refused before they reach it.
   */
  public static boolean isCompressed(HttpServerRequest request) {
    var codings = request.headers().getAll(HttpHeaders.CONTENT_ENCODING);
    return codings.size() == 1 && GZIP.contains(codings.getFirst().toLowerCase(Locale.ROOT));
  }

  /** Answers a request whose route does not take bodies in its content coding. */
  public static void refuseCoding(RoutingContext context) {
    boolean takesCompressed = takesCompressed(context.request());
    context
        .response()
        .putHeader(HttpHeaders.ACCEPT_ENCODING, takesCompressed ? Gzip.NAME : IDENTITY);
    refuse(
        context,
        Problem.of(
                ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                takesCompressed
                    ? "The body may be compressed only with gzip: send `Content-Encoding: gzip`, or none."
                    : "Bodies are taken as they are here, without `Content-Encoding`.")
            .hint(
                "Only the body of `POST /api/repos/:org/:repo/commits` may be compressed, with gzip."));
  }

  private static void countAsUnmatched(RoutingContext context) {
    var counted = ((HttpServerRequestInternal) context.request()).context();
    if (countedUnder(counted) == null) {
      counted.putLocal(METRICS_PATH, UNMATCHED);
    }
  }

  /** Sets the path under which the metrics count the current request. */
  public static void countUnder(String template) {
    Vertx.currentContext().putLocal(METRICS_PATH, template);
  }

  /** The path under which the metrics count the request of a context. */
  public static String countedUnder(Context context) {
    return context.getLocal(METRICS_PATH);
  }

  /**
   * The framework would cut off a path after a semicolon, as a path parameter, and would treat a
   * semicolon in a query as `&`. Here a semicolon is an ordinary character, so it is passed on in
   * its escaped form. A target in absolute form is passed on as a path, so that nothing depends on
   * the form.
   */
  private static void route(RoutingContext context) {
    var target = context.request().uri();
    var route = RequestTarget.withoutOrigin(target).replace(";", "%3B");
    if (route.equals(target)) {
      context.next();
    } else {
      context.reroute(route);
    }
  }

  private static int headerSize(HttpServerRequest request) {
    int size = 0;
    for (var header : request.headers()) {
      size += header.getKey().length() + header.getValue().length();
    }
    return size;
  }

  /** The estimated memory of the head of a request, in bytes. */
  public static int headMemory(HttpServerRequest request) {
    return request.uri().length()
        + headerSize(request)
        + FIELD_OVERHEAD * request.headers().entries().size();
  }

  /** The {@code Content-Length} of a request; 0 if it has none. */
  public static long contentLength(HttpServerRequest request) {
    var text = request.getHeader("Content-Length");
    try {
      return text == null ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static void forbidSniffing(RoutingContext context) {
    context.response().putHeader("X-Content-Type-Options", "nosniff");
  }

  private static void refuse(RoutingContext context, ErrorCode code, String detail) {
    refuse(context, Problem.of(code, detail));
  }

  private static void refuse(RoutingContext context, Problem problem) {
    forbidSniffing(context);
    ProblemDocument.end(context.response().putHeader("Connection", "close"), problem)
        // The rest of the request is not read: a client that waits to send it must not hang.
        .onComplete(_ -> context.request().connection().close());
  }
}

package dev.cairn.platform.http;

import dev.cairn.platform.CairnConfig;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.net.Inet;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The base of absolute URLs in answers: {@code cairn.public-url}, or a loopback address. The caller
 * chooses {@code Host}, so without a public URL it is trusted only if it names this machine: {@code
 * docs/operation.md}, The public URL.
 */
@ApplicationScoped
public class BaseUrl {
  private static final Logger LOG = Logger.getLogger(BaseUrl.class);

  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";

  // Possessive, since others are repeated by recursion: a long name would overflow the stack.
  private static final String LOOPBACK_HOST =
      "(?:(?:[a-z0-9-]++\\.)*+localhost|127(?:\\.%s){3}|\\[::1])".formatted(OCTET);

  private static final Pattern LOOPBACK = Pattern.compile(LOOPBACK_HOST + "(?::[1-9][0-9]{0,4})?");
  private static final Pattern LOOPBACK_URL = Pattern.compile("https?://" + LOOPBACK.pattern());

  private final CairnConfig config;
  private final Optional<String> publicUrl;
  private final String listensOn;
  private final String listeningHost;

  BaseUrl(CairnConfig config, @ConfigProperty(name = "quarkus.http.host") String listensOn) {
    this.config = config;
    this.publicUrl = config.publicUrl().map(Object::toString).map(BaseUrl::withoutSlash);
    this.listensOn = listensOn;
    this.listeningHost = listeningHost(listensOn);
  }

  /** A literal address on which only this service can listen at its port. */
  static String listeningHost(String listensOn) {
    try {
      var address = InetAddress.getByName(listensOn);
      if (!address.isAnyLocalAddress()) {
        return bracketed(Inet.toOptimalString(address));
      }
      return address instanceof Inet6Address ? "[::1]" : "127.0.0.1";
    } catch (UnknownHostException e) {
      throw new IllegalStateException(
          "quarkus.http.host (QUARKUS_HTTP_HOST) must be an address of this machine, not `%s`."
              .formatted(listensOn),
          e);
    }
  }

  void warn(@Observes StartupEvent event) {
    if (publicUrl.isEmpty()
        && !config.database().embedded()
        && !LOOPBACK.matcher(bracketed(listensOn)).matches()) {
      LOG.warnf(
          "cairn.public-url (CAIRN_PUBLIC_URL) is not set, and the service listens on %s: callers"
              + " on other machines get relative links, and tokens, metadata and callbacks name"
              + " a loopback address.",
          listensOn);
    }
  }

  /** The answer 201 to a request that created what is at {@code path}. */
  public Response created(HttpServerRequest request, String path, Object entity) {
    return Response.status(Response.Status.CREATED)
        .header(HttpHeaders.LOCATION, ofLinks(request) + path)
        .entity(entity)
        .build();
  }

  /** The base URL, without a slash at the end; never a URL that the caller chose. */
  public String of(HttpServerRequest request) {
    return known(request).orElseGet(() -> "http://localhost:" + request.localAddress().port());
  }

  /**
   * The base URL for sprites and receivers of webhooks, which send tokens to it. Without a public
   * URL it is the address on which the service listens, regardless of the caller's {@code Host}:
   * another program can listen on the same port of another loopback address, or of the other
   * address family of {@code localhost}.
   */
  public String ofRuns(HttpServerRequest request) {
    return publicUrl.orElseGet(
        () -> "http://%s:%d".formatted(listeningHost, request.localAddress().port()));
  }

  /**
   * The prefix of links: the base URL; or nothing, so that links are relative, if the caller used a
   * host name that is not known to be that of the service.
   */
  public String ofLinks(HttpServerRequest request) {
    return known(request).orElse("");
  }

  /** Whether a URL can be the base URL of this service. */
  public boolean isOwn(String url) {
    return publicUrl.map(own -> own.equals(url)).orElseGet(() -> isLoopback(url));
  }

  private Optional<String> known(HttpServerRequest request) {
    return publicUrl.or(
        () ->
            Optional.of(authority(request).toLowerCase(Locale.ROOT))
                .filter(authority -> LOOPBACK.matcher(authority).matches())
                .map(authority -> scheme(request) + "://" + authority));
  }

  /** The scheme of the request; a proxy may pass on whatever scheme a client claims. */
  private static String scheme(HttpServerRequest request) {
    return "https".equalsIgnoreCase(request.scheme()) ? "https" : "http";
  }

  private static boolean isLoopback(String url) {
    return url != null && LOOPBACK_URL.matcher(url).matches();
  }

  /**
   * The header {@code WWW-Authenticate} of an answer that requires a token, by which clients
   * discover how to get one (RFC 9728). It names no metadata document if the caller used a host
   * name that is not known to be that of the service.
   *
   * @param error of RFC 6750; empty if no token was sent
   */
  public String challenge(HttpServerRequest request, Optional<String> error) {
    var code = error.map("error=\"%s\""::formatted);
    var document =
        known(request)
            .map("resource_metadata=\"%s/.well-known/oauth-protected-resource\""::formatted);
    var parameters = Stream.of(code, document).flatMap(Optional::stream).toList();
    return parameters.isEmpty() ? "Bearer" : "Bearer " + String.join(", ", parameters);
  }

  /** The host of the request; HTTP/1.0 lets a client omit it, so it is the local address then. */
  private static String authority(HttpServerRequest request) {
    var named = request.authority();
    var local = request.localAddress();
    return named == null
        ? HostAndPort.create(host(local), local.port()).toString()
        : named.toString();
  }

  private static String host(SocketAddress address) {
    return bracketed(address.hostAddress());
  }

  private static String bracketed(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }
}

package dev.cairn.platform;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Optional;

/**
 * The base of absolute URLs that are given out: {@code cairn.public-url}, else the request's own.
 */
@ApplicationScoped
public class BaseUrl {
  private final CairnConfig config;

  BaseUrl(CairnConfig config) {
    this.config = config;
  }

  /** The answer to what made something, which can be read at {@code path} from now on. */
  public Response created(HttpServerRequest request, String path, Object entity) {
    return Response.created(URI.create(of(request) + path)).entity(entity).build();
  }

  /** The base URL, without a slash at its end. */
  public String of(HttpServerRequest request) {
    var url =
        config
            .publicUrl()
            .map(Object::toString)
            .orElseGet(() -> request.scheme() + "://" + authority(request));
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /**
   * What an answer that asks for a token says in {@code WWW-Authenticate} where clients can find
   * out by themselves how to get one (RFC 9728).
   *
   * @param error of RFC 6750; empty where no token was sent
   */
  public String challenge(HttpServerRequest request, Optional<String> error) {
    var document = "resource_metadata=\"%s/.well-known/oauth-protected-resource\"";
    return error.map("Bearer error=\"%s\", "::formatted).orElse("Bearer ")
        + document.formatted(of(request));
  }

  /** HTTP/1.0 lets a client leave the host out, which then is where it connected to. */
  private static String authority(HttpServerRequest request) {
    var named = request.authority();
    var local = request.localAddress();
    return named == null
        ? HostAndPort.create(host(local), local.port()).toString()
        : named.toString();
  }

  private static String host(SocketAddress address) {
    var host = address.hostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }
}

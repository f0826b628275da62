package dev.cairn.platform;

import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * The base of absolute URLs that are given out: {@code cairn.public-url}, else the request's own.
 */
@ApplicationScoped
public class BaseUrl {
  private final CairnConfig config;

  BaseUrl(CairnConfig config) {
    this.config = config;
  }

  /** The base URL, without a slash at its end. */
  public String of(HttpServerRequest request) {
    var url =
        config
            .publicUrl()
            .map(Object::toString)
            .orElseGet(() -> request.scheme() + "://" + request.authority());
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }
}

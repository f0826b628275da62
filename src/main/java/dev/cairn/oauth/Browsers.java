package dev.cairn.oauth;

import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.ClientAddress;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;

/** Creates the {@link Browser} of a request. */
@Singleton
class Browsers {
  private final BaseUrl baseUrl;
  private final ClientAddress addresses;

  Browsers(BaseUrl baseUrl, ClientAddress addresses) {
    this.baseUrl = baseUrl;
    this.addresses = addresses;
  }

  Browser of(HttpServerRequest request) {
    return new Browser(request, baseUrl.of(request), addresses.of(request));
  }
}

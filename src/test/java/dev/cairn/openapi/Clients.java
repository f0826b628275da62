package dev.cairn.openapi;

import io.restassured.RestAssured;
import org.apache.http.client.HttpClient;
import org.apache.http.conn.scheme.PlainSocketFactory;
import org.apache.http.conn.scheme.Scheme;
import org.apache.http.conn.scheme.SchemeRegistry;
import org.apache.http.impl.client.DefaultHttpClient;
import org.apache.http.impl.conn.BasicClientConnectionManager;
import org.apache.http.params.HttpParams;

/**
 * The clients of RestAssured: one for each request, since several threads may send at once, but
 * without reading its own version from a file and setting up TLS each time, which took longer than
 * the request.
 */
@SuppressWarnings("deprecation")
final class Clients {
  private static final HttpParams PARAMETERS = new DefaultHttpClient().getParams();
  private static final SchemeRegistry SCHEMES = new SchemeRegistry();

  static {
    SCHEMES.register(new Scheme("http", 80, PlainSocketFactory.getSocketFactory()));
  }

  private Clients() {}

  /** Lets RestAssured send by these clients. */
  static void use() {
    var config = RestAssured.config();
    RestAssured.config =
        config.httpClient(config.getHttpClientConfig().httpClientFactory(Clients::create));
  }

  private static HttpClient create() {
    return new DefaultHttpClient(new BasicClientConnectionManager(SCHEMES), PARAMETERS.copy());
  }
}

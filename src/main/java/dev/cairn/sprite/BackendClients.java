package dev.cairn.sprite;

import io.quarkus.rest.client.reactive.QuarkusRestClientBuilder;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import jakarta.ws.rs.client.ClientResponseFilter;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.jboss.resteasy.reactive.client.api.QuarkusRestClientProperties;

/**
 * The REST clients of backends. {@link Calls} limits the time and the length of their answers, so
 * their methods return answers of any status as streams.
 */
final class BackendClients {
  private static final int CONNECT_SECONDS = 5;

  /** The maximum number of connections: each polled command may need one. */
  private static final int MAX_CONNECTIONS = 256;

  private BackendClients() {}

  static QuarkusRestClientBuilder builder(URI base) {
    return QuarkusRestClientBuilder.newBuilder()
        .baseUri(base)
        .connectTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
        .readTimeout(Calls.TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .followRedirects(false)
        .disableDefaultMapper(true)
        .property(QuarkusRestClientProperties.CONNECTION_POOL_SIZE, MAX_CONNECTIONS)
        .httpClientRequestCustomizer(BackendClients::customize)
        .register((ClientResponseFilter) AnswerStream::replaceEntity);
  }

  private static void customize(HttpClientRequest call) {
    // The REST client would collect a body of multipart/form-data, however long, in memory.
    call.response()
        .onSuccess(
            answer -> answer.headers().set(HttpHeaders.CONTENT_TYPE, "application/octet-stream"));
    // Without these, Vert.x would quote what was received in the log.
    call.exceptionHandler(failure -> {});
    call.connection().exceptionHandler(failure -> {});
  }
}

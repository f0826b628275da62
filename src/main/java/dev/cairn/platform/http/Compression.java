package dev.cairn.platform.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Compresses answers for clients that accept it, as a whole and on the thread of the request: so no
 * more compressors exist at a time than threads compute. Streams are compressed while they are
 * sent, see {@code platform.memory.StreamedBody}. See {@code docs/api.md}, Compression.
 *
 * <p>The framework's own compression does it on the event loops, cannot be told its minimum length,
 * and leaves {@code ETag} and {@code Vary} as they are.
 */
@ApplicationScoped
public class Compression {
  /** After the tag, which is that of the answer as it is. */
  private static final int AFTER_TAG = 500;

  private static final Pattern KINDS =
      Pattern.compile(
          "(application/(json|problem\\+json|x-ndjson|yaml)|text/(markdown|plain)) *(;.*)?");

  private final CurrentVertxRequest request;
  private final ObjectMapper json;

  Compression(CurrentVertxRequest request, ObjectMapper json) {
    this.request = request;
    this.json = json;
  }

  void register(@Observes Filters filters) {
    filters.register(
        context -> {
          // At the end, since an answer may be begun again until then.
          context.addHeadersEndHandler(_ -> describe(context.request()));
          context.next();
        },
        FilterPriority.COMPRESSION);
  }

  /** Adds what caches must know of an answer. */
  private static void describe(HttpServerRequest request) {
    var response = request.response();
    if (AcceptedCoding.mayCompress(request.path())
        && (response.getStatusCode() == Response.Status.NOT_MODIFIED.getStatusCode()
            || isCompressible(response)
            || response.headers().contains(HttpHeaders.CONTENT_ENCODING))) {
      VaryHeader.add(response, HttpHeaders.ACCEPT_ENCODING);
    }
    var tag = response.headers().get(HttpHeaders.ETAG);
    if (tag != null && Gzip.NAME.equals(response.headers().get(HttpHeaders.CONTENT_ENCODING))) {
      response.putHeader(HttpHeaders.ETAG, Gzip.tag(tag));
    }
  }

  private static boolean isCompressible(HttpServerResponse response) {
    var type = response.headers().get(HttpHeaders.CONTENT_TYPE);
    return type != null && KINDS.matcher(type).matches();
  }

  /** Compresses the answer of a resource. */
  @ServerResponseFilter(priority = AFTER_TAG)
  void compress(ContainerResponseContext response) throws IOException {
    var coding = AcceptedCoding.of(request.getCurrent().request());
    var entity = response.getEntity();
    if (coding == AcceptedCoding.IDENTITY || entity == null || entity instanceof StreamingOutput) {
      return;
    }
    var body = bytes(entity);
    if (coding.compresses(body.length)) {
      response.setEntity(Gzip.compress(body));
      response.getHeaders().putSingle(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
    }
  }

  private byte[] bytes(Object entity) throws IOException {
    return switch (entity) {
      case byte[] bytes -> bytes;
      case String text -> text.getBytes(StandardCharsets.UTF_8);
      default -> json.writeValueAsBytes(entity);
    };
  }

  /**
   * Ends an answer of code below the REST layer, compressed if its {@code Content-Type}, which must
   * be set, is one of those that are compressed. Not for event loops if the body is long.
   */
  public static Future<Void> end(HttpServerRequest request, byte[] body) {
    var response = request.response();
    boolean isCompressed =
        isCompressible(response) && AcceptedCoding.of(request).compresses(body.length);
    if (isCompressed) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
    }
    return response.end(Buffer.buffer(isCompressed ? Gzip.compress(body) : body));
  }
}

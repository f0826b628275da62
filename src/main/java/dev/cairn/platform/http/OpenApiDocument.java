package dev.cairn.platform.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Serves the OpenAPI document as it is in the file: {@code docs/api.md}, The OpenAPI document. The
 * extension would parse and rewrite it at each start, which takes longer than the rest of a native
 * start; here it is read at the first request.
 */
@Singleton
class OpenApiDocument {
  /** Before the route of the extension, and after authentication. */
  private static final int ORDER = -10;

  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String FILE = "/META-INF/openapi.yaml";

  private volatile Document yaml;
  private volatile Document json;

  /** The document in one format, in buffers that all answers share. */
  private record Document(Buffer plain, Buffer compressed) {
    static Document of(byte[] bytes) {
      return new Document(shared(bytes), shared(Gzip.compress(bytes)));
    }

    /** A buffer that is not released after an answer. */
    private static Buffer shared(byte[] bytes) {
      // Outside of the heap: otherwise it would be copied for each connection.
      var buffer = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
      return BufferImpl.buffer(Unpooled.unreleasableBuffer(buffer));
    }
  }

  void register(@Observes Router router) {
    router
        .routeWithRegex("/q/openapi(\\.json|\\.yaml|\\.yml)?")
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .order(ORDER)
        .blockingHandler(this::serve);
  }

  private void serve(RoutingContext context) {
    boolean asJson = wantsJson(context);
    var document = asJson ? json() : yaml();
    var response =
        context
            .response()
            .putHeader("Content-Type", asJson ? JSON : YAML + ";charset=UTF-8")
            .putHeader("Vary", "Accept");
    boolean isCompressed =
        AcceptedCoding.of(context.request()).compresses(document.plain().length());
    if (isCompressed) {
      response.putHeader("Content-Encoding", Gzip.NAME);
    }
    response.end(isCompressed ? document.compressed() : document.plain()).onFailure(context::fail);
  }

  private static boolean wantsJson(RoutingContext context) {
    return context.normalizedPath().endsWith(".json")
        || "json".equalsIgnoreCase(context.request().getParam("format"))
        || AcceptedTypes.prefers(context.request(), JSON, YAML);
  }

  private Document yaml() {
    if (yaml == null) {
      try (var file = OpenApiDocument.class.getResourceAsStream(FILE)) {
        yaml = Document.of(file.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return yaml;
  }

  private Document json() {
    if (json == null) {
      var out = new ByteArrayOutputStream();
      try (var parser = new YAMLFactory().createParser(yaml().plain().getBytes());
          var generator = new JsonFactory().createGenerator(out)) {
        parser.nextToken();
        generator.copyCurrentStructure(parser);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      json = Document.of(out.toByteArray());
    }
    return json;
  }
}

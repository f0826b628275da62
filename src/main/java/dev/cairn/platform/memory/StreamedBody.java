package dev.cairn.platform.memory;

import dev.cairn.platform.http.Gzip;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;

/**
 * A response body that is streamed while it is made. A failure before the first byte is answered
 * with a problem document, like any other. A later failure closes the connection, so that no client
 * mistakes a part for the whole.
 */
public final class StreamedBody {
  private static final Logger LOG = Logger.getLogger(StreamedBody.class);
  private static final String ABORTED = StreamedBody.class.getName();

  private StreamedBody() {}

  /** Writes a body; each write waits until the connection has taken the bytes. */
  @FunctionalInterface
  public interface Writer {
    void write(OutputStream out) throws IOException;
  }

  /** The body of the answer to {@code request}. */
  public static StreamingOutput of(HttpServerRequest request, Writer writer) {
    return of(request, OptionalLong.empty(), writer);
  }

  /** The same for a body whose number of bytes is known. */
  public static StreamingOutput of(HttpServerRequest request, long length, Writer writer) {
    return of(request, OptionalLong.of(length), writer);
  }

  /**
   * The coding that compresses a body piece by piece: at most one piece is in memory, and its end.
   * The writer should write pieces of several KiB, since each of them is sent at once. A header of
   * the answer says so.
   */
  public static UnaryOperator<Writer> gzip(HttpServerRequest request) {
    return writer ->
        out -> {
          request.response().putHeader(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
          var gzip = new Gzip(out);
          try {
            writer.write(gzip);
            gzip.finish();
          } finally {
            gzip.release();
          }
        };
  }

  private static StreamingOutput of(HttpServerRequest request, OptionalLong length, Writer writer) {
    return ending -> {
      try {
        writer.write(new AwaitedOutput(request.response(), length, ending));
      } catch (IOException | RuntimeException e) {
        if (!request.response().headWritten()) {
          request.response().headers().remove(HttpHeaders.CONTENT_ENCODING);
          throw e;
        }
        // The path may contain a secret by mistake, so it is not logged.
        LOG.infof("a response was aborted: %s", e.getMessage());
        Vertx.currentContext().putLocal(ABORTED, true);
        hangUp(request);
      }
    };
  }

  /** Aborts a body that waits for its client, by closing the connection at once. */
  public static void abort(HttpServerRequest request) {
    if (request.connection() instanceof ConnectionBase connection) {
      var unread = connection.channel().pipeline().get(UnreadBytes.OfConnection.class);
      if (unread != null) { // otherwise the connection has ended
        unread.disconnect();
      }
    }
  }

  /** Whether the response to the request of a context was aborted. */
  public static boolean wasAborted(Context context) {
    return context.getLocal(ABORTED) != null;
  }

  private static void hangUp(HttpServerRequest request) {
    try {
      // Waits, so that the code that closes the body afterwards cannot end it regularly.
      request.connection().close().toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      LOG.debug("the client was gone already", e);
    }
  }
}

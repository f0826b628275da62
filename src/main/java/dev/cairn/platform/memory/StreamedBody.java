package dev.cairn.platform.memory;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;

/**
 * A body that is sent while it is made. What fails before its first byte becomes a problem document
 * like any other; what fails later hangs up, so that nobody takes a part for the whole.
 */
public final class StreamedBody {
  private static final Logger LOG = Logger.getLogger(StreamedBody.class);
  private static final String BROKEN_OFF = StreamedBody.class.getName();

  private StreamedBody() {}

  /** Writes a body; each write waits until the client has taken its bytes. */
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

  private static StreamingOutput of(HttpServerRequest request, OptionalLong length, Writer writer) {
    return ending -> {
      try {
        writer.write(new AwaitedOutput(request.response(), length, ending));
      } catch (IOException | RuntimeException e) {
        if (!request.response().headWritten()) {
          throw e;
        }
        // The path may hold what somebody put there by mistake, so it is not told.
        LOG.infof("an answer was broken off: %s", e.getMessage());
        Vertx.currentContext().putLocal(BROKEN_OFF, true);
        hangUp(request);
      }
    };
  }

  /** Ends the writing of a body that waits for its client, by closing the connection at once. */
  public static void breakOff(HttpServerRequest request) {
    if (request.connection() instanceof ConnectionBase connection) {
      var unread = connection.channel().pipeline().get(UnreadBytes.OfConnection.class);
      if (unread != null) { // otherwise the connection has ended
        unread.disconnect();
      }
    }
  }

  /** Whether the answer to the request of a context was broken off. */
  public static boolean wasBrokenOff(Context context) {
    return context.getLocal(BROKEN_OFF) != null;
  }

  private static void hangUp(HttpServerRequest request) {
    try {
      // Waited for: what closes the body afterwards must not give it a regular end.
      request.connection().close().toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      LOG.debug("the client was gone already", e);
    }
  }
}

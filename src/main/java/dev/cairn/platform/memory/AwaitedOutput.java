package dev.cairn.platform.memory;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;

/**
 * Sends a body in pieces. Each write returns when the connection has taken its bytes, so at most
 * one piece of a body is in memory, however slowly its client reads, and however late the event
 * loop is.
 *
 * <p>The stream of the framework does not ensure that: it waits while the connection is full, but
 * only the event loop finds out that it is. Until the event loop has written the first pieces, any
 * number of others is added to its queue.
 */
final class AwaitedOutput extends OutputStream {
  private final HttpServerResponse response;
  private final OptionalLong length;

  /**
   * Sends the body of a response, which is not ended here.
   *
   * @param length its bytes; empty if their number is not known yet
   */
  AwaitedOutput(HttpServerResponse response, OptionalLong length) {
    this.response = response;
    this.length = length;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    if (count == 0) {
      return;
    }
    if (!response.headWritten()) {
      frame();
    }
    try {
      // Not copied: the bytes are the writer's again only when they were taken.
      response
          .write(BufferImpl.buffer(Unpooled.wrappedBuffer(bytes, from, count)))
          .toCompletionStage()
          .toCompletableFuture()
          .get();
    } catch (ExecutionException e) {
      throw new IOException("the client is gone", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the client reads");
    }
  }

  private void frame() {
    if (length.isPresent()) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(length.getAsLong()));
    } else {
      response.setChunked(true);
    }
  }
}

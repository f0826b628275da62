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
 * Sends a body in pieces, with backpressure. Each write returns after the connection has taken the
 * bytes, so at most one piece is in memory, however slowly the client reads, and however busy the
 * event loop is.
 *
 * <p>The stream of the framework does not ensure this: it waits while the connection is full, but
 * only the event loop notices that it is. Until the event loop has written the first pieces, any
 * number of others is added to its queue.
 *
 * <p>A client that knows the length of a body sends its next request as soon as it has the last
 * byte. So the last byte is left to the stream of the framework, which sends it together with the
 * end of the response when it is closed: a request that arrived before that end would be treated as
 * pipelined, and would not be read.
 */
final class AwaitedOutput extends OutputStream {
  private final HttpServerResponse response;
  private final OptionalLong length;
  private final OutputStream ending;
  private long written;

  /**
   * Sends the body of a response, which is not ended here.
   *
   * @param length its bytes; empty if their number is not known yet
   * @param ending gets the last byte of a known number, and ends the response when it is closed
   */
  AwaitedOutput(HttpServerResponse response, OptionalLong length, OutputStream ending) {
    this.response = response;
    this.length = length;
    this.ending = ending;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    written += count;
    if (count > 0 && length.isPresent() && written == length.getAsLong()) {
      send(bytes, from, count - 1);
      ending.write(bytes, from + count - 1, 1);
    } else {
      send(bytes, from, count);
    }
  }

  private void send(byte[] bytes, int from, int count) throws IOException {
    if (count == 0) {
      return;
    }
    if (!response.headWritten()) {
      frame();
    }
    try {
      // Not copied: the writer may reuse the bytes only after they were taken.
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

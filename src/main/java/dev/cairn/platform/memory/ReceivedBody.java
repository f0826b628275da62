package dev.cairn.platform.memory;

import dev.cairn.platform.http.RequestBody;
import dev.cairn.platform.http.RequestLimits;
import java.io.InputStream;

/**
 * A body of at most 16 MiB, which is read on first use. Until it is closed, its bytes count as
 * arriving, and take no room of {@link BodyMemory}.
 */
public final class ReceivedBody implements AutoCloseable {
  private final InputStream stream;
  private byte[] bytes;

  /** The body of a request. */
  public ReceivedBody(InputStream stream) {
    this.stream = stream;
  }

  /** A body that has been read as part of another one. */
  public static ReceivedBody of(byte[] bytes) {
    var body = new ReceivedBody(InputStream.nullInputStream());
    body.bytes = bytes;
    return body;
  }

  /**
   * The whole body.
   *
   * @throws dev.cairn.model.Problem {@code PAYLOAD_TOO_LARGE} if it is longer than 16 MiB
   */
  public byte[] bytes() {
    if (bytes == null) {
      if (stream instanceof BodyStream body) {
        body.countElsewhere();
      }
      bytes = RequestBody.bytes(stream, RequestLimits.MAX_BODY);
    }
    return bytes;
  }

  @Override
  public void close() {
    RequestBody.release(stream);
  }
}

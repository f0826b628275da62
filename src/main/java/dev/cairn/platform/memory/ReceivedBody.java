package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
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

  /** Why it could not be read, if so: it can only be read once. */
  private Problem failure;

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

  /** Whether it was sent compressed, so that the first use decompresses it. */
  public boolean isCompressed() {
    return stream instanceof BodyStream body && body.isCompressed();
  }

  /**
   * The whole body. If it could not be read, it is not read again: each further call fails in the
   * same way.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it is longer than 16 MiB, before or after it is
   *     decompressed
   */
  public byte[] bytes() {
    if (failure != null) {
      throw failure;
    }
    if (bytes == null) {
      if (stream instanceof BodyStream body) {
        body.countElsewhere();
      }
      try {
        bytes = RequestBody.bytes(stream, RequestLimits.MAX_BODY);
      } catch (Problem e) {
        failure = e;
        throw e;
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    RequestBody.release(stream);
  }
}

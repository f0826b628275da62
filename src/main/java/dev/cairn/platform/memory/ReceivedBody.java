package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.platform.http.RequestLimits;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.HttpHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * A body of at most 16 MiB, which is read on first use. Until it is closed, its bytes count as
 * arriving, and take no room of {@link BodyMemory}.
 */
public final class ReceivedBody implements AutoCloseable {
  private static final String GZIP = "gzip";
  private static final int PART = 8 * 1024;

  private final InputStream stream;
  private final boolean isCompressed;
  private byte[] bytes;

  private ReceivedBody(InputStream stream, boolean isCompressed) {
    this.stream = stream;
    this.isCompressed = isCompressed;
  }

  /** The body of a request, which may be compressed with gzip. */
  public static ReceivedBody of(HttpServerRequest request, InputStream stream) {
    var encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    return new ReceivedBody(stream, GZIP.equalsIgnoreCase(encoding));
  }

  /** A body that has been read as part of another one. */
  public static ReceivedBody of(byte[] bytes) {
    return new ReceivedBody(new ByteArrayInputStream(bytes), false);
  }

  /**
   * The whole body.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it is longer than 16 MiB, before or after it is
   *     decompressed; {@code VALIDATION_ERROR} if it is not what gzip writes
   */
  public byte[] bytes() {
    if (bytes == null) {
      if (stream instanceof BodyStream body) {
        body.countElsewhere();
      }
      var sent = RequestBody.bytes(stream, RequestLimits.MAX_BODY);
      bytes = isCompressed ? decompressed(sent) : sent;
    }
    return bytes;
  }

  /** Reads it twice, so that its memory is counted before it is taken. */
  private byte[] decompressed(byte[] sent) {
    try {
      int size = decompressedSize(sent);
      if (stream instanceof BodyStream body) {
        body.keep(size);
      }
      try (var in = new GZIPInputStream(new ByteArrayInputStream(sent))) {
        return in.readNBytes(size);
      }
    } catch (IOException _) {
      throw Problem.invalid("", "The body is not valid gzip.");
    }
  }

  private static int decompressedSize(byte[] sent) throws IOException {
    var part = new byte[PART];
    int size = 0;
    try (var in = new GZIPInputStream(new ByteArrayInputStream(sent))) {
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        size += read;
        RequestBody.requireAtMost(RequestLimits.MAX_BODY, size);
      }
    }
    return size;
  }

  @Override
  public void close() {
    RequestBody.release(stream);
  }
}

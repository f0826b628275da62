package dev.cairn.platform;

import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * The body of a request. Reading begins with the first call, which waits until as much has come as
 * it asks for: {@code readNBytes(limit)} is the way to read one.
 */
final class BodyStream extends InputStream {
  private final ArrivingBodies bodies;
  private final RoutingContext context;
  private ArrivingBody body;
  private byte[] bytes;
  private int limit;
  private int at;

  BodyStream(ArrivingBodies bodies, RoutingContext context) {
    this.bodies = bodies;
    this.context = context;
  }

  private byte[] readTo(int maxBytes) {
    if (bytes == null) {
      limit = maxBytes;
      body = bodies.read(context, maxBytes);
      bytes = body.await().bytes();
    }
    return bytes;
  }

  @Override
  public byte[] readNBytes(int count) throws IOException {
    if (bytes == null && count > 0) {
      at = readTo(count).length;
      return bytes;
    }
    return super.readNBytes(count);
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, into.length);
    int left = readTo(RequestLimits.MAX_BODY + 1).length - at;
    if (left == 0 && bytes.length == limit) {
      throw new IOException("The body has at least " + limit + " bytes; no more are read.");
    }
    if (left == 0) {
      return -1;
    }
    int taken = Math.min(left, count);
    System.arraycopy(bytes, at, into, offset, taken);
    at += taken;
    return taken;
  }

  /** Gives the room of the bytes back: they are counted elsewhere, or no longer held. */
  @Override
  public void close() {
    if (body != null) {
      body.release();
    }
  }
}

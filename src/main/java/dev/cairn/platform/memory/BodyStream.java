package dev.cairn.platform.memory;

import dev.cairn.platform.http.RequestLimits;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * The body of a request, decompressed if it was sent compressed. Reading begins with the first
 * call, which waits until all requested bytes have arrived: use {@code readNBytes(limit)}. It also
 * waits for room for the parsed body ({@link BodyRoom}), unless {@link #countElsewhere} was called
 * before.
 */
final class BodyStream extends InputStream {
  private static final byte[] NONE = {};

  private final ArrivingBodies bodies;
  private final BodyRoom room;
  private final Decompression decompression;
  private final RoutingContext context;

  /** Whether the room for the parsed body is held, or is taken by the code that reads this. */
  private boolean hasRoom;

  /** Null before it is read: it can only be read once, also if that is begun again. */
  private ArrivingBody body;

  private byte[] bytes;
  private int limit;
  private int at;

  BodyStream(
      ArrivingBodies bodies, BodyRoom room, Decompression decompression, RoutingContext context) {
    this.bodies = bodies;
    this.room = room;
    this.decompression = decompression;
    this.context = context;
  }

  /** Must be called if the code that reads this takes room for the parsed body itself. */
  void countElsewhere() {
    hasRoom = true;
  }

  /** Whether it was sent compressed, so that the first read decompresses it. */
  boolean isCompressed() {
    return RequestLimits.isCompressed(context.request());
  }

  /** Begins to read the body part by part; nothing else may read it then. */
  PartwiseBody inParts() {
    return bodies.inParts(context);
  }

  /** Begins to count what is kept of a body that is read part by part. */
  KeptBytes kept() {
    return bodies.kept(context);
  }

  private byte[] readTo(int maxBytes) {
    if (bytes == null) {
      if (body == null) {
        limit = maxBytes;
        body = bodies.read(context, maxBytes);
      }
      body.await();
      if (!hasRoom) {
        // Before the bytes are taken: until then, they are dropped if the connection is closed.
        room.hold(body);
        hasRoom = true;
      }
      bytes = isCompressed() ? decompression.of(body, context, maxBytes - 1) : body.bytes();
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

  /** Drops the bytes, which would otherwise be kept until the answer, and releases their room. */
  @Override
  public void close() {
    if (body != null) {
      bytes = NONE;
      at = 0;
      body.release();
    }
  }
}

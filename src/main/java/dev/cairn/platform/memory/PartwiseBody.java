package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.ClientGoneException;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of a request that is read part by part while it arrives, however long it is. At most a
 * few parts are in memory: as long as nobody reads them, nothing more is read from the connection.
 * For one virtual thread.
 */
public final class PartwiseBody implements PartwiseInput {
  /** How many parts, of up to 16 KiB, may wait to be read. */
  private static final int MAX_PARTS = 4;

  private final HttpServerRequest request;
  private final Context eventLoop;

  private final BlockingQueue<Part> parts = new LinkedBlockingQueue<>();
  private byte[] current = {};
  private int at;
  private Part last;

  /** What may come next. */
  private sealed interface Part {
    record Bytes(Buffer bytes) implements Part {}

    record End() implements Part {}

    /** The connection was closed before the end of the body. */
    record Broken() implements Part {}
  }

  PartwiseBody(HttpServerRequest request, Context eventLoop) {
    this.request = request;
    this.eventLoop = eventLoop;
  }

  /**
   * The body of a request, decompressed if it was sent compressed. It begins to be read.
   *
   * @param stream the body as a resource gets it, of which nothing was read
   */
  public static PartwiseInput of(InputStream stream) {
    var body = ((BodyStream) stream).inParts();
    return ((BodyStream) stream).isCompressed() ? new Gunzip(body) : body;
  }

  /**
   * Counts what is kept of the body; to be closed when nothing is.
   *
   * @param stream the body as a resource gets it
   */
  public static KeptBytes kept(InputStream stream) {
    return ((BodyStream) stream).kept();
  }

  /** Begins to read, on the event loop. */
  void start() {
    if (request.response().closed()) {
      parts.add(new Part.Broken());
      return;
    }
    if (request.isEnded()) {
      parts.add(new Part.End());
      return;
    }
    if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
      request.response().writeContinue();
    }
    request.exceptionHandler(_ -> parts.add(new Part.Broken()));
    request.endHandler(_ -> parts.add(new Part.End()));
    request.handler(bytes -> parts.add(new Part.Bytes(bytes)));
    request.fetch(MAX_PARTS);
  }

  /** The request has ended, so that nothing more comes. */
  void ended() {
    parts.add(new Part.Broken());
  }

  @Override
  public int read(byte[] into, int offset, int count, Duration wait) {
    if (at == current.length && !next(wait)) {
      return last instanceof Part.End ? -1 : 0;
    }
    int taken = Math.min(count, current.length - at);
    System.arraycopy(current, at, into, offset, taken);
    at += taken;
    return taken;
  }

  /** Takes the next part with bytes; false if there is none. */
  private boolean next(Duration wait) {
    if (last != null) {
      return false;
    }
    Part part;
    try {
      part = parts.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.of(ErrorCode.UNAVAILABLE, "The service is being stopped.");
    }
    return switch (part) {
      case null -> false;
      case Part.Bytes(Buffer bytes) -> {
        current = bytes.getBytes();
        at = 0;
        eventLoop.runOnContext(_ -> request.fetch(1));
        yield current.length > 0 || next(wait);
      }
      case Part.End end -> {
        last = end;
        yield false;
      }
      case Part.Broken _ -> throw new ClientGoneException();
    };
  }
}

package dev.cairn.platform.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Joins short parts of a body that were read from the socket at once: otherwise chunks of one byte
 * would take a hundred times their length in memory while the request waits, and as much time as
 * large chunks.
 */
final class BodyParts {
  /** Parts of at least this length are passed on as they are; shorter ones are joined. */
  private static final int MIN_LONG_BYTES = 1_024;

  /** The short parts that were received; null if there are none. */
  private ByteBuf joined;

  /** Takes a message after the head of a request, and passes it on unless it is to be joined. */
  void read(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpContent part
        && !(message instanceof LastHttpContent)
        && part.decoderResult().isSuccess()
        && part.content().readableBytes() < MIN_LONG_BYTES) {
      if (joined == null) {
        joined = context.alloc().heapBuffer(MIN_LONG_BYTES);
      }
      joined.writeBytes(part.content());
      part.release();
      return;
    }
    flush(context);
    context.fireChannelRead(message);
  }

  /** Passes on the joined parts. */
  void flush(ChannelHandlerContext context) {
    if (joined != null) {
      var part = new DefaultHttpContent(joined);
      joined = null;
      context.fireChannelRead(part);
    }
  }

  /** Drops the joined parts. */
  void release() {
    if (joined != null) {
      joined.release();
      joined = null;
    }
  }
}

package dev.cairn.platform.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Joins the parts of a body that one read of a socket brought, if they are short: chunks of one
 * byte would otherwise take a hundred times their length in memory while the request waits, and as
 * much time as large ones.
 */
final class BodyParts {
  /** From this length on a part goes on as it is, in bytes. */
  private static final int LONG = 1_024;

  /** Short parts that have come; null if there are none. */
  private ByteBuf joined;

  /** Takes what follows the head of a request, and passes on what is not to be joined. */
  void read(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpContent part
        && !(message instanceof LastHttpContent)
        && part.decoderResult().isSuccess()
        && part.content().readableBytes() < LONG) {
      if (joined == null) {
        joined = context.alloc().heapBuffer(LONG);
      }
      joined.writeBytes(part.content());
      part.release();
      return;
    }
    flush(context);
    context.fireChannelRead(message);
  }

  /** Passes on what was joined. */
  void flush(ChannelHandlerContext context) {
    if (joined != null) {
      var part = new DefaultHttpContent(joined);
      joined = null;
      context.fireChannelRead(part);
    }
  }

  /** Drops what was joined. */
  void release() {
    if (joined != null) {
      joined.release();
      joined = null;
    }
  }
}

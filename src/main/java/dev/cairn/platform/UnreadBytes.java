package dev.cairn.platform;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that were sent to clients and not taken by them, of all connections together. A
 * client may ask for many answers on one connection without reading any, and for large ones on many
 * connections; where they add up to more than there may be, the connection with most of them is
 * closed. So whoever reads is served as before.
 */
final class UnreadBytes {
  private final long most;
  private final AtomicLong all = new AtomicLong();
  private final Set<OfConnection> connections = ConcurrentHashMap.newKeySet();

  /**
   * @param most how many bytes there may be
   */
  UnreadBytes(long most) {
    this.most = most;
  }

  /** What counts for one connection, to stand next to its socket. */
  ChannelHandler ofConnection() {
    return new OfConnection();
  }

  /** How many bytes there are. */
  long all() {
    return all.get();
  }

  private void disconnectLargest() {
    connections.stream()
        .max(Comparator.comparingLong(connection -> connection.bytes.get()))
        .ifPresent(OfConnection::disconnect);
  }

  private final class OfConnection extends ChannelOutboundHandlerAdapter {
    private final AtomicLong bytes = new AtomicLong();
    private volatile Channel channel;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      channel = context.channel();
      connections.add(this);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
      connections.remove(this);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
        throws Exception {
      var taken = promise.unvoid();
      if (message instanceof ByteBuf piece) {
        long size = piece.readableBytes();
        count(size);
        taken.addListener(_ -> count(-size));
      }
      super.write(context, message, taken);
      if (all.get() > most) {
        disconnectLargest();
      }
    }

    void disconnect() {
      var _ = channel.close();
    }

    private void count(long size) {
      bytes.addAndGet(size);
      all.addAndGet(size);
    }
  }
}

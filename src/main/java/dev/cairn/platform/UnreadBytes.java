package dev.cairn.platform;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that were sent to clients and not taken by them, of all connections together.
 * Where they are more than there may be, the connections are closed that took nothing for longest,
 * as many as it takes. So whoever reads is served as before.
 */
final class UnreadBytes {
  private static final Comparator<OfConnection> BY_PROGRESS =
      Comparator.comparingLong(connection -> connection.progress);

  private final long most;

  /** Counts what happens, to tell what was before what. */
  private final AtomicLong clock = new AtomicLong();

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

  /** Closes the connections that have any. */
  void disconnectAll() {
    connections.stream().filter(c -> c.bytes.get() > 0).forEach(OfConnection::disconnect);
  }

  private void disconnectSlowest() {
    long excess = all.get() - most;
    for (var slowest :
        connections.stream().filter(c -> c.bytes.get() > 0).sorted(BY_PROGRESS).toList()) {
      if (excess <= 0) {
        return;
      }
      // One that is being closed already still has its bytes, and counts here again.
      excess -= slowest.bytes.get();
      slowest.disconnect();
    }
  }

  private final class OfConnection extends ChannelOutboundHandlerAdapter {
    private final AtomicLong bytes = new AtomicLong();
    private volatile ChannelHandlerContext place;

    /** When it last took something, or began to have something to take. */
    private volatile long progress;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      place = context;
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
        if (bytes.get() == 0) {
          progress = clock.incrementAndGet();
        }
        count(size);
        taken.addListener(
            _ -> {
              progress = clock.incrementAndGet();
              count(-size);
            });
      }
      super.write(context, message, taken);
      if (all.get() > most) {
        disconnectSlowest();
      }
    }

    /** From here, since the server's own handler would first wait until all is taken. */
    void disconnect() {
      var _ = place.close();
    }

    private void count(long size) {
      bytes.addAndGet(size);
      all.addAndGet(size);
    }
  }
}

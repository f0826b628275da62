package dev.cairn.platform.memory;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.channel.ChannelProgressiveFutureListener;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.PromiseNotifier;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Bounds the unread bytes: those that were sent to clients and not yet read by them, of all
 * connections together. If they exceed the maximum, connections are closed until they no longer do,
 * the slowest first: those that read nothing for the longest time, and whose owners (accounts or
 * network addresses) have the most unread bytes. So a client that reads is not affected, and an
 * owner with many connections gives way to others. If callers without credentials hold more than
 * half, only their connections are closed.
 */
final class UnreadBytes {
  /** The part of the maximum that is freed at once, since each search compares all connections. */
  private static final int FREED_AT_ONCE = 32;

  private final long maxBytes;
  private final LongSupplier nanos;

  /** Without those of connections that are being closed, whose memory is free in a moment. */
  private final AtomicLong all = new AtomicLong();

  private final Set<OfConnection> connections = ConcurrentHashMap.newKeySet();

  /**
   * @param maxBytes the maximum for all connections together
   * @param nanos a clock
   */
  UnreadBytes(long maxBytes, LongSupplier nanos) {
    this.maxBytes = maxBytes;
    this.nanos = nanos;
  }

  /** Counts the bytes of one connection; must be the handler next to its socket. */
  OfConnection ofConnection(ArrivalRoom.Owner owner) {
    return new OfConnection(owner);
  }

  /** How many unread bytes there are. */
  long all() {
    return all.get();
  }

  /** Closes the connections that have unread bytes. */
  void disconnectAll() {
    connections.stream().filter(c -> c.bytes > 0).forEach(OfConnection::disconnect);
  }

  private synchronized void disconnectSlowest() {
    if (all.get() <= maxBytes) {
      return;
    }
    long now = nanos.getAsLong();
    var unread = connections.stream().map(c -> c.unread(now)).filter(u -> u.bytes > 0).toList();
    var anonymous = unread.stream().filter(u -> u.owner.isAnonymous()).toList();
    boolean hasAnonymousTooMuch = sum(anonymous, Unread::bytes) > maxBytes / 2;
    var slowest = (hasAnonymousTooMuch ? anonymous : unread).stream().sorted(slowestFirst(unread));
    long excess = all.get() - maxBytes + maxBytes / FREED_AT_ONCE;
    for (var next : slowest.toList()) {
      if (excess <= 0) {
        return;
      }
      excess -= next.bytes;
      next.connection.disconnect();
    }
  }

  private static long sum(List<Unread> unread, ToLongFunction<Unread> number) {
    return unread.stream().mapToLong(number).sum();
  }

  /** First those that read nothing for the longest time, and whose owners have the most unread. */
  private static Comparator<Unread> slowestFirst(List<Unread> all) {
    var byOwner =
        all.stream()
            .collect(Collectors.groupingBy(Unread::owner, Collectors.summingLong(Unread::left)));
    return Comparator.<Unread>comparingDouble(u -> (double) u.stalledNanos * byOwner.get(u.owner))
        .reversed();
  }

  /**
   * The unread bytes of a connection at one moment.
   *
   * @param bytes of all parts that were not read to the end; each is in memory as a whole
   * @param left how many of these were not read
   * @param stalledNanos for how long none was read
   */
  private record Unread(
      OfConnection connection, ArrivalRoom.Owner owner, long bytes, long left, long stalledNanos) {}

  /** Counts the unread bytes of one connection. */
  final class OfConnection extends ChannelOutboundHandlerAdapter {
    private volatile long bytes;
    private boolean isClosing;
    private final AtomicLong left = new AtomicLong();
    private volatile ChannelHandlerContext handlerContext;
    private volatile ArrivalRoom.Owner owner;

    /** When the client last read something, or first had something to read. */
    private volatile long progressAt;

    private OfConnection(ArrivalRoom.Owner owner) {
      this.owner = owner;
    }

    /** Sets the owner of all unread bytes of the connection. */
    void setOwner(ArrivalRoom.Owner newOwner) {
      owner = newOwner;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      handlerContext = context;
      connections.add(this);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
      connections.remove(this);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
        throws Exception {
      if (message instanceof ByteBuf piece) {
        var taken = context.newProgressivePromise();
        var _ = PromiseNotifier.cascade(taken, promise.unvoid());
        taken.addListener(new Piece(piece.readableBytes()));
        super.write(context, message, taken);
      } else {
        super.write(context, message, promise);
      }
      if (all.get() > maxBytes) {
        disconnectSlowest();
      }
    }

    /** Closed from this handler: the server's own would first wait until everything is read. */
    void disconnect() {
      synchronized (this) {
        if (!isClosing) {
          isClosing = true;
          all.addAndGet(-bytes);
        }
      }
      var _ = handlerContext.close();
    }

    private synchronized Unread unread(long now) {
      return new Unread(this, owner, isClosing ? 0 : bytes, left.get(), now - progressAt);
    }

    private synchronized void count(long size) {
      bytes += size;
      if (!isClosing) {
        all.addAndGet(size);
      }
    }

    /** A part of a response, which is in memory until its last byte was read. */
    private final class Piece implements ChannelProgressiveFutureListener {
      private final long size;
      private long taken;

      Piece(long size) {
        this.size = size;
        if (bytes == 0) {
          progressAt = nanos.getAsLong();
        }
        left.addAndGet(size);
        count(size);
      }

      @Override
      public void operationProgressed(ChannelProgressiveFuture future, long progress, long total) {
        takenTo(progress);
      }

      @Override
      public void operationComplete(ChannelProgressiveFuture future) {
        takenTo(size);
        count(-size);
      }

      private void takenTo(long progress) {
        progressAt = nanos.getAsLong();
        left.addAndGet(taken - progress);
        taken = progress;
      }
    }
  }
}

package dev.cairn.platform.memory;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;

/** How much of a connection is read before others have their turn on its event loop. */
final class SocketReads {
  /** Bytes that are read at once, before it is looked whether the connection may go on. */
  private static final int MAX = 16 * 1024;

  private static final int MIN = 512;
  private static final int INITIAL = 2_048;

  /** With hundreds of busy connections, an upload has only a few turns in a second. */
  private static final int MANY = 4;

  private SocketReads() {}

  /** Begins to limit the reads of a connection: to one in each turn. */
  static void limit(Channel channel) {
    var reads = new AdaptiveRecvByteBufAllocator(MIN, INITIAL, MAX);
    reads.maxMessagesPerRead(1);
    channel.config().setRecvByteBufAllocator(reads);
  }

  /** From the next turn on, there is one read in each. */
  static void readOncePerTurn(Channel channel) {
    set(channel, 1);
  }

  /** From the next turn on, there may be several in each: an account sends a body. */
  static void readSeveralTimesPerTurn(Channel channel) {
    set(channel, MANY);
  }

  /** How many bytes may be read in a turn. */
  static int perTurn(Channel channel) {
    return channel.config().getRecvByteBufAllocator()
            instanceof MaxMessagesRecvByteBufAllocator reads
        ? MAX * reads.maxMessagesPerRead()
        : MAX;
  }

  private static void set(Channel channel, int inTurn) {
    if (channel.config().getRecvByteBufAllocator()
        instanceof MaxMessagesRecvByteBufAllocator reads) {
      reads.maxMessagesPerRead(inTurn);
    }
  }
}

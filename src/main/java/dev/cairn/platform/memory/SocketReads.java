package dev.cairn.platform.memory;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;

/** How much of a connection is read before others have their turn on its event loop. */
final class SocketReads {
  /** The bytes of one read, after which it is decided whether the connection is read again. */
  private static final int MAX_BYTES = 16 * 1024;

  private static final int MIN_BYTES = 512;
  private static final int INITIAL_BYTES = 2_048;

  /** In one turn: with hundreds of busy connections, an upload has only a few turns a second. */
  private static final int READS_OF_UPLOAD = 4;

  private SocketReads() {}

  /** Begins to limit the reads of a connection: to one in each turn. */
  static void limit(Channel channel) {
    var reads = new AdaptiveRecvByteBufAllocator(MIN_BYTES, INITIAL_BYTES, MAX_BYTES);
    reads.maxMessagesPerRead(1);
    channel.config().setRecvByteBufAllocator(reads);
  }

  /** From the next turn on, there is one read in each. */
  static void readOncePerTurn(Channel channel) {
    set(channel, 1);
  }

  /** From the next turn on, there may be several in each: an account sends a body. */
  static void readSeveralTimesPerTurn(Channel channel) {
    set(channel, READS_OF_UPLOAD);
  }

  /** How many bytes may be read in a turn. */
  static int perTurn(Channel channel) {
    return channel.config().getRecvByteBufAllocator()
            instanceof MaxMessagesRecvByteBufAllocator reads
        ? MAX_BYTES * reads.maxMessagesPerRead()
        : MAX_BYTES;
  }

  private static void set(Channel channel, int readsPerTurn) {
    if (channel.config().getRecvByteBufAllocator()
        instanceof MaxMessagesRecvByteBufAllocator reads) {
      reads.maxMessagesPerRead(readsPerTurn);
    }
  }
}

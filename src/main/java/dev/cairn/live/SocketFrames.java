package dev.cairn.live;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;

/**
 * The frames of a client's WebSocket, below the framework, which bounds neither the rate of frames
 * nor how far a message is decompressed. Passes on whole text messages of at most {@link
 * #MAX_MESSAGE} bytes, and closes the connection for anything else. See {@code docs/live.md}, Live
 * queries.
 */
final class SocketFrames extends ChannelDuplexHandler {
  /** The maximum length of a message of a client, decompressed, in bytes. */
  static final int MAX_MESSAGE = 64 * 1024;

  /** How many frames a client may send at once. */
  static final int MAX_FRAMES = 200;

  /** How many more it may send a second. */
  static final int FRAMES_PER_SECOND = 20;

  private static final String NAME = "cairn-socket-frames";
  private static final String SERVER = "handler";
  private static final long NANOS_PER_FRAME = TimeUnit.SECONDS.toNanos(1) / FRAMES_PER_SECOND;

  /** The bit of a frame's header that says that its message is compressed. */
  private static final int COMPRESSED = 0b100;

  /** Shorter messages are not compressed: it would gain little. */
  private static final int MIN_COMPRESSED = 1024;

  /** After this time the connection is closed if the client does not answer that it closes. */
  private static final long CLOSING_MILLIS = 2_000;

  private final boolean isCompressing;
  private final Runnable onRefusal;
  private ChannelHandlerContext handlerContext;
  private boolean isClosing;

  /** When the client would have been allowed to send all of its frames, one after another. */
  private long framesUntil = System.nanoTime();

  private volatile long heardAt = System.nanoTime();

  /** The received part of a message. */
  private ByteArrayOutputStream message;

  private boolean isMessageCompressed;

  /**
   * @param isCompressing whether compression was agreed on
   * @param onRefusal is called if the connection is closed for what the client sent
   */
  SocketFrames(boolean isCompressing, Runnable onRefusal) {
    this.isCompressing = isCompressing;
    this.onRefusal = onRefusal;
  }

  /** Adds this to a connection; on its event loop, before it is told that it is a WebSocket. */
  void install(Channel channel) {
    var pipeline = channel.pipeline();
    if (pipeline.get(WebSocketServerExtensionHandler.class) != null) {
      pipeline.remove(WebSocketServerExtensionHandler.class);
    }
    pipeline.addBefore(SERVER, NAME, this);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    handlerContext = context;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object received) {
    if (!(received instanceof WebSocketFrame frame)) {
      context.fireChannelRead(received);
      return;
    }
    heardAt = System.nanoTime();
    if (isClosing) {
      frame.release();
      if (frame instanceof CloseWebSocketFrame) {
        var _ = context.close();
      }
    } else if (!takeFrame()) {
      frame.release();
      refuse(WebSocketCloseStatus.POLICY_VIOLATION, "too_many_messages");
    } else if (frame instanceof TextWebSocketFrame || frame instanceof ContinuationWebSocketFrame) {
      try {
        add(frame);
      } finally {
        frame.release();
      }
    } else if (frame.rsv() != 0) {
      frame.release();
      refuse(WebSocketCloseStatus.PROTOCOL_ERROR, "protocol_error");
    } else if (frame instanceof BinaryWebSocketFrame) {
      frame.release();
      refuse(WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "not_text");
    } else {
      context.fireChannelRead(frame);
    }
  }

  private boolean takeFrame() {
    long now = System.nanoTime();
    framesUntil = Math.max(framesUntil - now, 0) + now + NANOS_PER_FRAME;
    return framesUntil - now <= MAX_FRAMES * NANOS_PER_FRAME;
  }

  private void add(WebSocketFrame frame) {
    boolean isFirst = frame instanceof TextWebSocketFrame;
    if (frame.rsv() != 0 && !(isFirst && isCompressing && frame.rsv() == COMPRESSED)) {
      refuse(WebSocketCloseStatus.PROTOCOL_ERROR, "protocol_error");
      return;
    }
    if (isFirst) {
      isMessageCompressed = frame.rsv() == COMPRESSED;
    }
    if (message == null) {
      message = new ByteArrayOutputStream(frame.content().readableBytes());
    }
    if (message.size() + frame.content().readableBytes() > MAX_MESSAGE) {
      refuseTooLong();
      return;
    }
    var part = new byte[frame.content().readableBytes()];
    frame.content().readBytes(part);
    message.writeBytes(part);
    if (frame.isFinalFragment()) {
      var whole = message.toByteArray();
      message = null;
      passOn(whole);
    }
  }

  private void passOn(byte[] payload) {
    try {
      var text =
          isMessageCompressed
              ? MessageCompression.decompress(payload, MAX_MESSAGE).orElse(null)
              : payload;
      if (text == null) {
        refuseTooLong();
        return;
      }
      var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      handlerContext.fireChannelRead(new TextWebSocketFrame(true, 0, Unpooled.wrappedBuffer(text)));
    } catch (CharacterCodingException | DataFormatException _) {
      refuse(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not_text");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof CorruptedWebSocketFrameException corrupted) {
      if (corrupted.closeStatus().equals(WebSocketCloseStatus.MESSAGE_TOO_BIG)) {
        refuseTooLong();
      } else {
        refuse(corrupted.closeStatus(), "protocol_error");
      }
    } else {
      context.fireExceptionCaught(cause);
    }
  }

  private void refuseTooLong() {
    refuse(WebSocketCloseStatus.MESSAGE_TOO_BIG, "message_too_long");
  }

  private void refuse(WebSocketCloseStatus status, String reason) {
    if (!isClosing) {
      onRefusal.run();
      closeNow(status.code(), reason);
    }
  }

  /**
   * Ends the WebSocket in order, and closes the connection if the client does not answer soon.
   *
   * @param reason a word for the client
   */
  void close(int status, String reason) {
    handlerContext.executor().execute(() -> closeNow(status, reason));
  }

  private void closeNow(int status, String reason) {
    if (isClosing) {
      return;
    }
    isClosing = true;
    message = null;
    var _ = handlerContext.writeAndFlush(new CloseWebSocketFrame(status, reason));
    var timer =
        handlerContext
            .executor()
            .schedule(
                () -> {
                  var _ = handlerContext.close();
                },
                CLOSING_MILLIS,
                TimeUnit.MILLISECONDS);
    var _ = handlerContext.channel().closeFuture().addListener(_ -> timer.cancel(false));
  }

  /**
   * Sends a text message, compressed on the thread of the caller if it is long enough. Returns when
   * the connection has it, which counts its bytes from then on.
   *
   * @param text in UTF-8
   * @return when it was written to the client, or could not be
   */
  ChannelFuture send(byte[] text) throws InterruptedException {
    boolean isCompressed = isCompressing && text.length >= MIN_COMPRESSED;
    var payload = isCompressed ? MessageCompression.compress(text) : text;
    var frame =
        new TextWebSocketFrame(
            true, isCompressed ? COMPRESSED : 0, Unpooled.wrappedBuffer(payload));
    var written = handlerContext.newPromise();
    var _ = handlerContext.executor().submit(() -> write(frame, written)).await();
    return written;
  }

  private void write(WebSocketFrame frame, ChannelPromise written) {
    if (isClosing) {
      frame.release();
      written.setFailure(new IllegalStateException("the WebSocket is closing"));
    } else {
      var _ = handlerContext.writeAndFlush(frame, written);
    }
  }

  /** Asks the client whether it is there. */
  void ping() {
    var _ = handlerContext.channel().writeAndFlush(new PingWebSocketFrame());
  }

  /** Notes a sign of life of the client that is no frame. */
  void heard() {
    heardAt = System.nanoTime();
  }

  /** For how long nothing came from the client, in nanoseconds. */
  long silence() {
    return System.nanoTime() - heardAt;
  }
}

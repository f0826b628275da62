package dev.cairn.live;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.ArrivingMessages;
import io.netty.buffer.ByteBuf;
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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.DataFormatException;

/**
 * The frames of a client's WebSocket, below the framework, which bounds neither the rate of frames
 * nor how far a message is decompressed. Whole text messages of at most {@link #MAX_MESSAGE} bytes
 * go to a {@link Receiver}; frames that open, close and show life go to the framework; for anything
 * else the WebSocket is closed. Nothing is read from the client while a message of it waits to be
 * processed. See {@code docs/live.md}, Live queries.
 */
final class SocketFrames extends ChannelDuplexHandler {
  /** The maximum length of a message of a client, decompressed, in bytes. */
  static final int MAX_MESSAGE = 64 * 1024;

  /** How many frames a client may send at once. */
  static final int MAX_FRAMES = 200;

  /** How many more it may send a second. */
  static final int FRAMES_PER_SECOND = 20;

  /** The time between two pings, in seconds. */
  static final int PING_SECONDS = 15;

  /** If nothing has come since so many pings when the next one is due, the client is silent. */
  static final int MAX_UNANSWERED = 2;

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
  private final ArrivingMessages room;
  private final Receiver receiver;
  private final LongSupplier nanos;
  private ChannelHandlerContext handlerContext;
  private boolean isClosing;

  /** When the client would have been allowed to send all of its frames, one after another. */
  private long framesUntil;

  /** The pings since which nothing has come from the client. */
  private int unanswered;

  /** The last frame that was sent; null before the first one. */
  private ChannelFuture lastSent;

  /** The received part of a message; null if there is none. */
  private ByteArrayOutputStream part;

  /** Counts the message that arrives; null if there is none. */
  private ArrivingMessages.Message arriving;

  private boolean isMessageCompressed;

  /** How many messages wait to be processed. */
  private int waiting;

  /** What takes the messages of a client. It is called on the event loop. */
  interface Receiver {
    /**
     * Takes a message.
     *
     * @param processed to be run once, on any thread, when the message is no longer in memory
     */
    void received(String text, Runnable processed);

    /** The service closes the connection, as the client is silent or has sent what it may not. */
    void ended(Ending reason);
  }

  /**
   * @param isCompressing whether compression was agreed on
   * @param room counts the messages
   */
  SocketFrames(boolean isCompressing, ArrivingMessages room, Receiver receiver) {
    this(isCompressing, room, receiver, System::nanoTime);
  }

  /** The same with a clock for the rate of frames. */
  SocketFrames(
      boolean isCompressing, ArrivingMessages room, Receiver receiver, LongSupplier nanos) {
    this.isCompressing = isCompressing;
    this.room = room;
    this.receiver = receiver;
    this.nanos = nanos;
    this.framesUntil = nanos.getAsLong();
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
    untilClosed(
        context
            .executor()
            .scheduleWithFixedDelay(this::ping, PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS));
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    dropPart();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object received) {
    if (!(received instanceof WebSocketFrame frame)) {
      context.fireChannelRead(received);
      return;
    }
    unanswered = 0;
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
    long now = nanos.getAsLong();
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
      part = new ByteArrayOutputStream(frame.content().readableBytes());
      arriving = room.begin(this::ended);
    }
    int length = frame.content().readableBytes();
    if (part.size() + length > MAX_MESSAGE) {
      refuseTooLong();
    } else if (!arriving.take(length)) {
      refuseForRoom();
    } else {
      append(frame.content());
      if (frame.isFinalFragment()) {
        passOn();
      }
    }
  }

  private void append(ByteBuf content) {
    var bytes = new byte[content.readableBytes()];
    content.readBytes(bytes);
    part.writeBytes(bytes);
  }

  private void passOn() {
    try {
      var payload = part.toByteArray();
      var bytes =
          isMessageCompressed
              ? MessageCompression.decompress(payload, MAX_MESSAGE).orElse(null)
              : payload;
      if (bytes == null) {
        refuseTooLong();
        return;
      }
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (arriving.take(bytes.length) && arriving.complete()) {
        passOn(text);
      } else {
        refuseForRoom();
      }
    } catch (CharacterCodingException | DataFormatException _) {
      refuse(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not_text");
    }
  }

  private void passOn(String text) {
    var message = arriving;
    part = null;
    arriving = null;
    waiting++;
    setReading(false);
    receiver.received(
        text,
        () -> {
          message.release();
          handlerContext.executor().execute(this::processed);
        });
  }

  private void processed() {
    waiting--;
    if (waiting == 0) {
      unanswered = 0; // its pongs have not been read
      setReading(true);
    }
  }

  private void setReading(boolean isReading) {
    handlerContext.channel().config().setAutoRead(isReading);
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

  /** The message that arrives has no room, since others need it, or it arrives too slowly. */
  private void ended(Problem problem) {
    handlerContext
        .executor()
        .execute(
            () -> {
              if (problem.code() == ErrorCode.UNAVAILABLE) {
                refuseForRoom();
              } else {
                refuse(WebSocketCloseStatus.POLICY_VIOLATION, "message_too_slow");
              }
            });
  }

  private void refuseForRoom() {
    refuse(WebSocketCloseStatus.TRY_AGAIN_LATER, "busy");
  }

  private void refuseTooLong() {
    refuse(WebSocketCloseStatus.MESSAGE_TOO_BIG, "message_too_long");
  }

  private void refuse(WebSocketCloseStatus status, String reason) {
    if (!isClosing) {
      receiver.ended(Ending.REFUSED);
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
    dropPart();
    setReading(true); // for the client's answer
    var _ = handlerContext.writeAndFlush(new CloseWebSocketFrame(status, reason));
    untilClosed(
        handlerContext
            .executor()
            .schedule(
                () -> {
                  var _ = handlerContext.close();
                },
                CLOSING_MILLIS,
                TimeUnit.MILLISECONDS));
  }

  private void untilClosed(Future<?> timer) {
    var _ = handlerContext.channel().closeFuture().addListener(_ -> timer.cancel(false));
  }

  private void dropPart() {
    if (arriving != null) {
      arriving.release();
      arriving = null;
      part = null;
    }
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
      lastSent = handlerContext.writeAndFlush(frame, written);
    }
  }

  /** Asks the client whether it is there, and closes the connection if it is silent. */
  private void ping() {
    if (isClosing) {
      return;
    }
    boolean isReadSlowly = lastSent != null && !lastSent.isDone();
    if (waiting > 0 || isReadSlowly) {
      unanswered = 0; // its pongs are not read, or it gets the pings after all else
    }
    if (unanswered >= MAX_UNANSWERED) {
      receiver.ended(Ending.SILENT);
    } else {
      unanswered++;
      write(new PingWebSocketFrame(), handlerContext.newPromise());
    }
  }
}
